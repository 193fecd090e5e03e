#!/usr/bin/env bash
# `#if($text)` with an empty text is true in Apache Velocity 1.7, but not in 2.4.1 or velocityjs; in 1.7 a literal is never true.
# versions: org.apache.velocity:velocity 1.7, velocity-engine-core 2.4.1, npm velocityjs 2.1.7 (observed, 2026-11-28)
# guessed: in 1.7, #if("") and #if(0) are true, as empty variables are (75 %); then #if("x") is also true (60 %)
# seen: in 1.7, the empty variable is true, but every literal, even "x" and 1, is false; velocityjs follows JavaScript's rules
# matters: tests of API Gateway's or AppSync's mapping templates with an npm engine: `#if($input.params('cursor'))` skips an empty
#   parameter, which an engine with Velocity 1's rules does not skip. Compare with "" in the template, and also test it in the Java engine.
# needs: java (11 or later), mvn, node
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund velocityjs@2.1.7

cat >Program.java <<'JAVA'
import java.io.StringWriter;
import java.nio.file.*;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;

public class Program {
  public static void main(String[] args) throws Exception {
    VelocityEngine engine = new VelocityEngine();
    if (args[0].equals("1.7")) engine.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
    engine.init();
    StringWriter text = new StringWriter();
    engine.evaluate(new VelocityContext(java.util.Map.of("empty", "", "zero", 0)), text, "template", Files.readString(Path.of("template.vm")));
    System.out.println(args[0] + ": " + text);
  }
}
JAVA
printf '%s' 'empty #if($empty)T#{else}F#end, zero #if($zero)T#{else}F#end, "x" #if("x")T#{else}F#end, compared #if($empty != "")T#{else}F#end' >template.vm

for package in org.apache.velocity:velocity:1.7 org.apache.velocity:velocity-engine-core:2.4.1; do
  version=${package##*:}
  IFS=: read -r group artifact _ <<<"$package"
  cat >pom.xml <<XML
<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>
<dependencies><dependency><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$version</version></dependency></dependencies></project>
XML
  mvn -q -B dependency:copy-dependencies -DoutputDirectory="$version" >/dev/null
  java -cp "$version/*" Program.java "$version" 2>/dev/null >>seen
done
node -e 'const { render } = require("velocityjs");
console.log("velocityjs: " + render(require("fs").readFileSync("template.vm", "utf8"), { empty: "", zero: 0 }))' >>seen

diff - seen <<'SEEN'
1.7: empty T, zero T, "x" F, compared F
2.4.1: empty F, zero F, "x" T, compared F
velocityjs: empty F, zero F, "x" T, compared F
SEEN
echo "as seen"
