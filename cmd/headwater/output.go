package main

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"strings"
	"time"

	"github.com/fatih/color"
	"google.golang.org/protobuf/proto"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
	"github.com/headwater-data/headwater/internal/render"
)

// terminal is how text for people looks on standard output: coloured on a terminal, unless NO_COLOR is set.
func terminal() render.Style { return render.Style{Colour: !color.NoColor, Now: time.Now()} }

// show prints an answer for people, or as the API gives it.
func show[Answer proto.Message](answer Answer, asJSON bool, text func(Answer, render.Style) string) error {
	if !asJSON {
		fmt.Print(text(answer, terminal()))
		return nil
	}
	encoded, err := render.JSON(answer)
	if err != nil {
		return err
	}
	fmt.Print(encoded)
	return nil
}

// receiptFlag is embedded by commands that state something.
type receiptFlag struct {
	JSON bool `help:"Print the receipt of the API."`
}

// recorded prints where a statement stands in the log, and for people what comes of it.
func (f receiptFlag) recorded(accepted *headwaterv1.Accepted, outcome string) error {
	return show(accepted, f.JSON, func(accepted *headwaterv1.Accepted, _ render.Style) string {
		return strings.TrimSuffix(fmt.Sprintf("recorded at offset %d; %s", accepted.GetOffset(), outcome), "; ") + "\n"
	})
}

// printJSON prints what is no answer of the API.
func printJSON(value any) error {
	text, err := json.Marshal(value, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	fmt.Println(string(text))
	return nil
}
