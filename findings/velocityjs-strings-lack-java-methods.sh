#!/usr/bin/env bash
# In velocityjs, `$text.replaceAll(…)` takes no pattern, and `$text.length()`, `$list.isEmpty()` and `$map.containsKey(…)` are printed unevaluated.
# versions: npm velocityjs 2.1.7 and amplify-velocity-template 1.4.17, its fork; PyPI airspeed 0.7.1 (observed, 2026-11-28)
# guessed: all of Java's usual methods work, except replaceAll (50 %)
# seen: size() and toUpperCase() work; the others are printed unevaluated, and replaceAll, which is JavaScript's, leaves
#   the text unchanged; airspeed replaces by the pattern, knows length(), and lacks toUpperCase()
# matters: tests of API Gateway's or AppSync's mapping templates without AWS: a template that masks a ticket code with replaceAll prints
#   the code without an error. Compare the whole rendered text, not only the success, or run the Java engine.
# needs: node, python
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund velocityjs@2.1.7 amplify-velocity-template@1.4.17
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check airspeed==0.7.1

cat >template.vm <<'VM'
$code.replaceAll("[0-9]", "*")
$code.length()
$code.toUpperCase()
$list.size()
$list.isEmpty()
$map.containsKey("a")
VM
cat >program.cjs <<'JS'
const template = require("node:fs").readFileSync("template.vm", "utf8");
for (const name of ["velocityjs", "amplify-velocity-template"]) {
  const text = require(name).render(template, { code: "a1b2", list: [1, 2], map: { a: 1 } });
  console.log(`${name}: ${text.trim().split("\n").join(" | ")}`);
}
JS
cat >program.py <<'PYTHON'
import airspeed

text = airspeed.Template(open("template.vm").read()).merge({"code": "a1b2", "list": [1, 2], "map": {"a": 1}})
print("airspeed:", text.strip().replace("\n", " | "))
PYTHON
{ node program.cjs; python/bin/python program.py; } >seen

diff - seen <<'SEEN'
velocityjs: a1b2 | $code.length() | A1B2 | 2 | $list.isEmpty() | $map.containsKey("a")
amplify-velocity-template: a1b2 | $code.length() | A1B2 | 2 | $list.isEmpty() | $map.containsKey("a")
airspeed: a*b* | 4 | $code.toUpperCase() | 2 | $list.isEmpty() | $map.containsKey("a")
SEEN
echo "as seen"
