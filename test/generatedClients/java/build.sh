# The generated pom.xml names the versions of the libraries.
openapi-generator-cli generate -i openapi.json -c openapi-generator.yaml -o client --global-property apiTests=false,modelTests=false
mvn --quiet --batch-mode --file client org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies -DincludeScope=compile -DoutputDirectory=../jars
find client/src/main -name '*.java' > sources
javac -proc:none -nowarn -d classes -cp 'jars/*' Journey.java @sources
