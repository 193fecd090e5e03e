#!/usr/bin/env bash
# Papa Parse's dynamicTyping turns times with an offset into Dates, and leaves local times and days as texts.
# versions: papaparse 5.7.1; observed 2026-11-28
# guessed: A time without an offset becomes a Date in the reader's local time (85 %).
# seen: It stays a text, so one column of valid times has both Dates and texts, and does not sort.
# matters: Web pages that read an export of dates. Leave `dynamicTyping` off for codes and times, and parse each with the event's zone.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund papaparse@5.7.1

cat > program.mjs <<'EOF'
import Papa from "papaparse";

const forms = ["2025-12-18T19:30:00-05:00", "2025-12-18T19:30-05:00", "2025-12-18T19:30:00Z", "2025-12-18T19:30:00", "2025-12-18T19:30", "2025-12-18"];
for (const form of forms) {
  const [[value]] = Papa.parse(form, { dynamicTyping: true, delimiter: "," }).data;
  console.log(form, typeof value === "string" ? "text" : `Date ${value.toISOString()}`);
}
EOF

diff <(TZ=America/New_York node program.mjs) - <<'EOF'
2025-12-18T19:30:00-05:00 Date 2025-12-19T00:30:00.000Z
2025-12-18T19:30-05:00 Date 2025-12-19T00:30:00.000Z
2025-12-18T19:30:00Z Date 2025-12-18T19:30:00.000Z
2025-12-18T19:30:00 text
2025-12-18T19:30 text
2025-12-18 text
EOF
