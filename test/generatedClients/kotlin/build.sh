openapi-generator-cli generate -i openapi.json -c openapi-generator.yaml -o client --global-property apiTests=false,modelTests=false
mvn --quiet --batch-mode org.jetbrains.kotlin:kotlin-maven-plugin:2.2.20:compile org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DincludeScope=compile -DoutputDirectory=jars
