#!/usr/bin/env bash
# @walletpass/pass-js rewrites a relevant date that has milliseconds, or no time, in the zone of the machine.
# versions: @walletpass/pass-js 6.9.8; observed 2026-11-28
# guessed: A text with milliseconds is rejected with a TypeError (50 %).
# seen: It is accepted, and cut to minutes in the machine's zone. A day becomes a time, west of Greenwich on the day before. Other texts with a full offset are kept.
# matters: Passes whose `relevantDate` comes from a date of a ticketing API. Pass the text only if it has a time and an offset such as `-05:00`; convert local times with the event's zone first.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @walletpass/pass-js@6.9.8

cat > program.mjs <<'EOF'
import { Template } from "@walletpass/pass-js";

const about = { passTypeIdentifier: "pass.org.example", teamIdentifier: "T", organizationName: "O", description: "D" };
function relevantDate(text) {
  const pass = new Template("eventTicket", about).createPass({ serialNumber: "50116" });
  pass.relevantDate = text;
  return pass.toJSON().relevantDate;
}
const texts = ["2025-12-18T19:30-05:00", "2025-12-18T19:30:00Z", "2025-12-18T19:30:45.123Z", "2025-12-18T19:30", "2025-12-18"];
for (const zone of ["America/New_York", "UTC"]) {
  process.env.TZ = zone;
  for (const text of texts) console.log(zone, text, "->", relevantDate(text));
}
EOF

diff <(node program.mjs) - <<'EOF'
America/New_York 2025-12-18T19:30-05:00 -> 2025-12-18T19:30-05:00
America/New_York 2025-12-18T19:30:00Z -> 2025-12-18T19:30:00Z
America/New_York 2025-12-18T19:30:45.123Z -> 2025-12-18T14:30-05:00
America/New_York 2025-12-18T19:30 -> 2025-12-18T19:30-05:00
America/New_York 2025-12-18 -> 2025-12-17T19:00-05:00
UTC 2025-12-18T19:30-05:00 -> 2025-12-18T19:30-05:00
UTC 2025-12-18T19:30:00Z -> 2025-12-18T19:30:00Z
UTC 2025-12-18T19:30:45.123Z -> 2025-12-18T19:30+00:00
UTC 2025-12-18T19:30 -> 2025-12-18T19:30+00:00
UTC 2025-12-18 -> 2025-12-18T00:00+00:00
EOF
