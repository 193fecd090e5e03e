openapi-python-client generate --path openapi.json --config openapi-python-client.yaml --meta none --output-path installed/ticketing --fail-on-warning
