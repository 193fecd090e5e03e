openapi-generator-cli generate -i openapi.json -c openapi-generator.yaml -o client --global-property apiTests=false,modelTests=false
pip install ./client
