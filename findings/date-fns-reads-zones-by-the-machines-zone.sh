#!/usr/bin/env bash
# The machine's own time zone decides how date-fns-tz and @date-fns/tz read an event's local time near a clock change.
# versions: date-fns-tz 3.2.0, @date-fns/tz 1.5.0, Node 20; observed 2026-11-28
# guessed: The machine's zone changes nothing (70 % for fromZonedTime, 65 % for TZDate).
# seen: In both libraries, the machine's zone decides whether Berlin's repeated hour is the first or the second. TZDate even moves the skipped hour back on a machine in London, forward elsewhere.
# matters: Developers and servers in different zones: tests pass on one, and a show starts an hour off on the other. Use Temporal, whose result does not depend on the machine.
# needs: node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund date-fns-tz@3.2.0 date-fns@4.4.0 @date-fns/tz@1.5.0

cat > program.mjs <<'EOF'
import { TZDate } from "@date-fns/tz";
import { fromZonedTime } from "date-fns-tz";

const zone = "Europe/Berlin";
const tzDate = (month, day) => new Date(+new TZDate(2026, month, day, 2, 30, 0, zone)).toISOString();
console.log(`machine in ${process.env.TZ}`);
console.log("  repeated 02:30, fromZonedTime", fromZonedTime("2026-10-25T02:30", zone).toISOString());
console.log("  repeated 02:30, TZDate       ", tzDate(9, 25));
console.log("  skipped 02:30, TZDate        ", tzDate(2, 29));
EOF

diff <(for zone in UTC America/New_York Europe/London; do TZ=$zone node program.mjs; done) - <<'EOF'
machine in UTC
  repeated 02:30, fromZonedTime 2026-10-25T01:30:00.000Z
  repeated 02:30, TZDate        2026-10-25T01:30:00.000Z
  skipped 02:30, TZDate         2026-03-29T01:30:00.000Z
machine in America/New_York
  repeated 02:30, fromZonedTime 2026-10-25T00:30:00.000Z
  repeated 02:30, TZDate        2026-10-25T01:30:00.000Z
  skipped 02:30, TZDate         2026-03-29T01:30:00.000Z
machine in Europe/London
  repeated 02:30, fromZonedTime 2026-10-25T01:30:00.000Z
  repeated 02:30, TZDate        2026-10-25T01:30:00.000Z
  skipped 02:30, TZDate         2026-03-29T00:30:00.000Z
EOF
