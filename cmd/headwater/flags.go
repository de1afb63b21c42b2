package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	headwaterv1 "github.com/headwater-data/headwater/gen/headwater/v1"
)

// paging is embedded by commands that list.
type paging struct {
	Limit pageSize `default:"100" help:"How many at most, 1 to 1000; ${default} unless set."`
	Page  string   `placeholder:"TOKEN" help:"Go on from where the page before ended; it names the token."`
}

// pageSize is how many entries a list shows.
type pageSize int32

// Validate implements kong's check of a command line.
func (s pageSize) Validate() error {
	if s < 1 || s > 1000 {
		return fmt.Errorf("%d is not within 1 to 1000", s)
	}
	return nil
}

// reason is why something is said.
type reason string

// Validate implements kong's check of a command line.
func (r reason) Validate() error {
	if strings.TrimSpace(string(r)) == "" {
		return errors.New("say why, for those who ask later")
	}
	return nil
}

// jobValue is a flag that takes two words: the namespace and the name of a job.
type jobValue struct{ job *headwaterv1.Job }

// Decode implements [kong.MapperValue].
func (v *jobValue) Decode(ctx *kong.DecodeContext) error {
	v.job = &headwaterv1.Job{}
	return popTwoWords(ctx, &v.job.Namespace, &v.job.Name)
}

// datasetValue is a dataset in two words.
type datasetValue struct{ dataset *headwaterv1.Dataset }

// Decode implements [kong.MapperValue].
func (v *datasetValue) Decode(ctx *kong.DecodeContext) error {
	v.dataset = &headwaterv1.Dataset{}
	return popTwoWords(ctx, &v.dataset.Namespace, &v.dataset.Name)
}

func popTwoWords(ctx *kong.DecodeContext, namespace, name *string) error {
	if errors.Join(ctx.Scan.PopValueInto("namespace", namespace), ctx.Scan.PopValueInto("name", name)) != nil {
		return errors.New("takes two words, a namespace and a name")
	}
	return nil
}

// datasetArgs name a dataset.
type datasetArgs struct {
	Namespace string `arg:"" help:"Namespace of the dataset."`
	Name      string `arg:"" help:"Name of the dataset."`
}

func (a datasetArgs) dataset() *headwaterv1.Dataset {
	return &headwaterv1.Dataset{Namespace: a.Namespace, Name: a.Name}
}
