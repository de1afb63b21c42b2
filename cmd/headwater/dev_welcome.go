package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/fatih/color"

	"github.com/headwater-data/headwater/demo"
)

// welcome waits until everything answers, sends the demo, and shows what there is to look at.
func (c *devCommand) welcome(ctx context.Context, services *devServices) error {
	fmt.Println("starting gateway and worker")
	for _, part := range c.parts(services) {
		if err := part.awaitReady(ctx); err != nil {
			return err
		}
	}
	fmt.Println("sending the demo")
	server := "http://" + loopback(c.Port)
	if _, err := demo.Send(ctx, http.DefaultClient, server, demo.Night(time.Now())); err != nil {
		return err
	}
	c.printAddresses(server, services)
	c.printExamples(server)
	return showDemo(ctx, server)
}

func (c *devCommand) printAddresses(server string, services *devServices) {
	heading("Headwater is running. Ctrl-C stops it.")
	for _, row := range [][2]string{
		{"gateway", server},
		{"Temporal UI", "http://" + loopback(c.TemporalUIPort)},
		{"Temporal", services.temporal},
		{"S3", services.s3Endpoint + " (bucket " + devBucket + ")"},
		{"PostgreSQL", services.databaseURL},
		{"data and logs", c.Dir},
	} {
		fmt.Printf("  %-14s %s\n", row[0], row[1])
	}
	fmt.Println()
	_, _ = color.New(color.FgYellow, color.Bold).Println(
		"  WARNING: requests without credentials act as the principal \"dev\", who may do everything.\n" +
			"  This is for one machine only: do not make these ports reachable from others.")
}

func (c *devCommand) printExamples(server string) {
	output := fmt.Sprintf("%s %s", demo.MainOutput.Namespace, demo.MainOutput.Name)
	heading("Try, as")
	for _, example := range [][2]string{
		{"a producer", "curl " + server + `/api/v1/lineage -d '{"eventType":"COMPLETE","eventTime":"2026-07-19T03:00:00Z","run":{"runId":"53ee3770-86fa-4cb9-8c31-a09072dd88f7"},"job":{"namespace":"me","name":"first"},"inputs":[{"namespace":"shop","name":"a"}],"outputs":[{"namespace":"shop","name":"b"}],"producer":"https://example.com/me","schemaURL":"https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}'`},
		{"an engineer in an incident", ".bin/headwater lineage upstream " + output},
		{"an operator, a replay", "http://" + loopback(c.TemporalUIPort) + "/namespaces/default/workflows/start-workflow"},
		{"a policy author", "make policy-test"},
	} {
		fmt.Printf("  %s\n      %s\n", example[0], example[1])
	}
}

// showDemo prints the lineage of the demo, as the command that a person would use prints it.
func showDemo(ctx context.Context, server string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	heading("Where the demo's dashboard comes from")
	lineage := exec.CommandContext(ctx, self, "lineage", "upstream", demo.MainOutput.Namespace, demo.MainOutput.Name,
		"--depth", strconv.Itoa(demo.Depth), "--server", server)
	lineage.Stdout, lineage.Stderr = os.Stdout, os.Stderr
	return lineage.Run()
}

func heading(text string) {
	fmt.Println()
	_, _ = color.New(color.Bold).Println(text)
}
