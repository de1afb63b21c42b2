package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"

	"connectrpc.com/connect/v2"
	"connectrpc.com/connect/v2/connecthttp"

	"github.com/headwater-data/headwater/gen/headwater/v1/headwaterv1connect"
)

// tokenVariable holds the bearer token. There is no flag for it: other users of a machine can read command lines.
const tokenVariable = "HEADWATER_TOKEN"

const defaultServer = "http://127.0.0.1:8080"

// apiClient is embedded by every command that asks a gateway.
type apiClient struct {
	Server    string `default:"http://127.0.0.1:8080" env:"HEADWATER_SERVER" placeholder:"URL" help:"Address of the gateway; ${default} unless set."`
	TokenFile string `env:"HEADWATER_TOKEN_FILE" placeholder:"FILE" help:"File that holds your token. Without it the token is that of the environment variable HEADWATER_TOKEN, if any."`
}

// dial prepares calls to the gateway. Nothing is sent yet.
func (c apiClient) dial() (*connect.Client, error) {
	if address, err := url.Parse(c.Server); err != nil || address.Host == "" {
		return nil, fmt.Errorf("--server: %q is no address: write it as %s", c.Server, defaultServer)
	}
	token, err := c.token()
	if err != nil {
		return nil, err
	}
	return connect.NewClient(connecthttp.NewTransport(&http.Client{Transport: bearer{token}}, strings.TrimSuffix(c.Server, "/"))), nil
}

func (c apiClient) token() (string, error) {
	if c.TokenFile == "" {
		return os.Getenv(tokenVariable), nil
	}
	content, err := os.ReadFile(c.TokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return strings.TrimSpace(string(content)), nil
}

// bearer sends a token with every request, or none where it is empty.
type bearer struct{ token string }

func (b bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	if b.token != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+b.token)
	}
	return http.DefaultTransport.RoundTrip(request)
}

// ingest prepares calls to the service that takes events.
func (c apiClient) ingest() (headwaterv1connect.IngestServiceClient, error) {
	client, err := c.dial()
	if err != nil {
		return nil, err
	}
	return headwaterv1connect.NewIngestServiceClient(client), nil
}

// explain says what to do about an error that every command can meet.
func (c apiClient) explain(err error) error {
	var failed *connect.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nothing answers at %s: is the gateway running? `make dev` starts everything on this machine, and --server names another address", c.Server)
	case !errors.As(err, &failed):
		return err
	case failed.Code() == connect.CodeCanceled:
		return context.Canceled
	case failed.Code() == connect.CodeUnimplemented, failed.Code() == connect.CodeUnknown, failed.Code() == connect.CodeUnavailable:
		return fmt.Errorf("%s: %s; --server names another address", c.Server, failed.Message())
	case failed.Code() == connect.CodeUnauthenticated && c.TokenFile+os.Getenv(tokenVariable) != "":
		return fmt.Errorf("%s does not know your token: it is misspelt or was revoked; an operator makes a new one with `headwater user add`", c.Server)
	case failed.Code() == connect.CodeUnauthenticated:
		return fmt.Errorf("%s wants a token: put yours into the environment variable %s, or name a file that holds it with --token-file", c.Server, tokenVariable)
	default:
		return errors.New(failed.Message())
	}
}
