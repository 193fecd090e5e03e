openapi-generator-cli generate -i openapi.json -c openapi-generator.yaml -o ticketing --global-property apiTests=false,modelTests=false
go build -o journey .
