#!/usr/bin/env bash
# PyArrow's JSON reader turns times with an offset, local times and days into the same type, a timestamp without a zone.
# versions: pyarrow 26.0.1; observed 2026-11-28
# guessed: A time with the offset -05:00 stays a text (50 %), and one in UTC with milliseconds becomes a timestamp (60 %).
# seen: The reverse: the offset is applied and lost, local times and days look alike, and only a time with milliseconds stays a text.
# matters: Programs that load exported lines into Parquet: a show at 19:30 in New York and one at 00:30 local time are equal. Pass a schema with strings, and convert with the event's zone.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q pyarrow==26.0.1

cat > program.py <<'EOF'
import json
import pyarrow as pa
import pyarrow.json as pj

row = {
    "with_offset": "2025-12-18T19:30:00-05:00",
    "local": "2025-12-19T00:30",
    "day": "2025-12-19",
    "changed_at": "2025-12-19T00:30:00.123Z",
}
with open("dates.ndjson", "w") as file:
    file.write(json.dumps(row) + "\n")

table = pj.read_json("dates.ndjson")
for name in table.column_names:
    print(name, table[name].type, table[name][0].as_py())
texts = pa.schema([(name, pa.string()) for name in row])
options = pj.ParseOptions(explicit_schema=texts)
print(pj.read_json("dates.ndjson", parse_options=options)["with_offset"][0])
EOF

diff <(env/bin/python program.py) - <<'EOF'
with_offset timestamp[s] 2025-12-19 00:30:00
local timestamp[s] 2025-12-19 00:30:00
day timestamp[s] 2025-12-19 00:00:00
changed_at string 2025-12-19T00:30:00.123Z
2025-12-18T19:30:00-05:00
EOF
