package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/fatih/color"

	"github.com/headwater-data/headwater/demo"
	"github.com/headwater-data/headwater/lineage"
	"github.com/headwater-data/headwater/workflows/contract"
)

// demoTimeout is how long the demo's lineage may take to show. It takes seconds, unless the machine is very busy.
const demoTimeout = 2 * time.Minute

// welcome waits until everything answers, sends the demo, and shows what there is to look at.
func (c *devCommand) welcome(ctx context.Context, services *devServices, parts []devPart) error {
	for _, part := range parts {
		if err := part.awaitReady(ctx); err != nil {
			return err
		}
	}
	fmt.Println("sending the demo")
	server := "http://" + loopback(c.Port)
	if _, err := demo.Send(ctx, http.DefaultClient, server, demo.Night(time.Now())); err != nil {
		return err
	}
	awaiting, cancel := context.WithTimeout(ctx, demoTimeout)
	defer cancel()
	if err := demo.Await(awaiting, http.DefaultClient, server); err != nil {
		return err
	}
	c.printAddresses(server, services)
	c.printExamples(server, services)
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

// printExamples prints one thing to try for each kind of user.
func (c *devCommand) printExamples(server string, services *devServices) {
	heading("Try, as")
	for _, example := range [][2]string{
		{"a producer that sends an event", producerExample(server)},
		{"an engineer in an incident who asks where it comes from", lineageExample(server, "upstream", demo.MainOutput)},
		{"an engineer before a change who asks what it affects", lineageExample(server, "downstream", demo.MainSource)},
		{
			"governance that lets a person ask, within what the policies show",
			"HEADWATER_DATABASE_URL=" + services.databaseURL + " .bin/headwater user add ann --role reader",
		},
		{"a policy author who has edited policies/", "make policy-test"},
		{"an operator who rebuilds the projection, with the input {\"name\":\"rebuilt\"}", c.replayForm("rebuilt")},
	} {
		fmt.Printf("  %s\n    %s\n", example[0], example[1])
	}
}

func producerExample(server string) string {
	return "curl " + server + `/api/v1/lineage -d '{
      "eventType": "COMPLETE", "eventTime": "` + time.Now().UTC().Format(time.RFC3339) + `",
      "run": {"runId": "53ee3770-86fa-4cb9-8c31-a09072dd88f7"}, "job": {"namespace": "mine", "name": "first"},
      "inputs": [{"namespace": "mine", "name": "before"}], "outputs": [{"namespace": "mine", "name": "after"}],
      "producer": "https://example.com/mine",
      "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}'`
}

func lineageExample(server, direction string, of lineage.DatasetID) string {
	return fmt.Sprintf(".bin/headwater lineage %s %s %s --server %s", direction, of.Namespace, of.Name, server)
}

// replayForm is the address of the Temporal UI's form that starts the replay with this name.
func (c *devCommand) replayForm(name string) string {
	return "http://" + loopback(c.TemporalUIPort) + "/namespaces/default/workflows/start-workflow?" + url.Values{
		"workflowType": {contract.ReplayWorkflow},
		"taskQueue":    {contract.TaskQueue},
		"workflowId":   {contract.ReplayWorkflowID(name)},
	}.Encode()
}

// showDemo prints the lineage of the demo, as the command that a person would use prints it.
func showDemo(ctx context.Context, server string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	heading("Where the demo's dashboard comes from")
	command := exec.CommandContext(ctx, self, "lineage", "upstream", demo.MainOutput.Namespace, demo.MainOutput.Name,
		"--depth", strconv.Itoa(demo.Depth), "--server", server)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}

func heading(text string) {
	fmt.Println()
	_, _ = color.New(color.Bold).Println(text)
}
