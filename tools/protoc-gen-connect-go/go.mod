module github.com/headwater-data/headwater/tools/protoc-gen-connect-go

go 1.27

tool connectrpc.com/connect/v2/cmd/protoc-gen-connect-go

require (
	connectrpc.com/connect/v2 v2.0.2 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)
