// Calls a tool and lists the tools with a Go client, with a version of the protocol. Prints both as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	markmcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	url           = os.Getenv("BASE_URL") + "/mcp"
	authorization = "Bearer " + os.Getenv("API_KEY")
	ctx           = context.Background()
)

type result struct {
	Answer string   `json:"answer"`
	Tools  []string `json:"tools"`
}

func main() {
	library, version := os.Args[1], os.Args[2]
	use := withSdk
	if library == "mcp-go" {
		use = withMcpGo
	}
	if err := json.NewEncoder(os.Stdout).Encode(use(version)); err != nil {
		log.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func withMcpGo(version string) (found result) {
	headers := transport.WithHTTPHeaders(map[string]string{"Authorization": authorization})
	connection := client.NewClient(must(transport.NewStreamableHTTP(url, headers)), client.WithProtocolVersion(version))
	must(0, connection.Start(ctx))
	request := markmcp.InitializeRequest{}
	request.Params.ClientInfo = markmcp.Implementation{Name: "assistants", Version: "1"}
	must(connection.Initialize(ctx, request))
	call := markmcp.CallToolRequest{}
	call.Params.Name, call.Params.Arguments = "list_events", map[string]any{"per_page": 2}
	found.Answer = must(connection.CallTool(ctx, call)).Content[0].(markmcp.TextContent).Text
	for _, tool := range must(connection.ListTools(ctx, markmcp.ListToolsRequest{})).Tools {
		found.Tools = append(found.Tools, tool.Name)
	}
	return found
}

type authorized struct{}

func (authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", authorization)
	return http.DefaultTransport.RoundTrip(request)
}

func withSdk(version string) (found result) {
	endpoint := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: authorized{}}}
	options := &mcp.ClientSessionOptions{ProtocolVersion: version}
	session := must(mcp.NewClient(&mcp.Implementation{Name: "assistants", Version: "1"}, nil).Connect(ctx, endpoint, options))
	defer session.Close()
	call := &mcp.CallToolParams{Name: "list_events", Arguments: map[string]any{"per_page": 2}}
	found.Answer = must(session.CallTool(ctx, call)).Content[0].(*mcp.TextContent).Text
	for _, tool := range must(session.ListTools(ctx, nil)).Tools {
		found.Tools = append(found.Tools, tool.Name)
	}
	return found
}
