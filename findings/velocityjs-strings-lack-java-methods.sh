#!/usr/bin/env bash
# In velocityjs, `$text.replaceAll(…)` takes no pattern and `$text.length()`, `$list.isEmpty()` and `$map.containsKey(…)` stay as text.
# versions: npm velocityjs 2.1.7 and amplify-velocity-template 1.4.17, its fork; PyPI airspeed 0.7.1 (observed, 2026-11-28)
# guessed: all of Java's usual methods work but replaceAll (50 %)
# seen: size() and toUpperCase() work; the others are printed as they stand, and replaceAll, which is JavaScript's, leaves
#   the text as it was; airspeed replaces by the pattern, knows length(), and lacks toUpperCase()
# matters: who tests mapping templates of API Gateway or AppSync without AWS: the template that masks a ticket code with replaceAll passes
#   the code on, without an error. Assert on whole rendered texts, never only that rendering succeeded, or run the Java engine.
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
