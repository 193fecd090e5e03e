#!/usr/bin/env bash
# Go 1.26.8's own time zone database does not know that British Columbia stays at -07:00, so its instants of winter shows in Vancouver are an hour late.
# versions: Go 1.26.8 (lib/time/zoneinfo.zip, the same data as time/tzdata), moment-timezone 0.6.6 (data 2026f); observed 2026-11-28
# guessed: Go has the change: -07:00 (60 %).
# seen: Go: -08:00. moment-timezone: -07:00, as in Node 24.21.0 (2026c), pytz 2026.6 and jiff 0.2.46; Polars 2.1.0, Java 17.0.15 and chrono-tz 0.10.4 (2025b) are also out of date.
# matters: APIs that return local times with a zone name: the instant depends on the reader's library. Check the database's version at start-up, and keep it current (in Go, by a newer ZONEINFO).
# needs: go 1.26, node 20, npm
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund moment-timezone@0.6.6
export GOTOOLCHAIN=go1.26.8

cat > program.go <<'EOF'
package main

import (
	"fmt"
	"time"
)

func main() {
	for _, name := range []string{"America/Vancouver", "America/Los_Angeles"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			panic(err)
		}
		fmt.Println("go    ", time.Date(2026, 12, 18, 19, 30, 0, 0, zone).Format(time.RFC3339))
	}
}
EOF
cat > program.mjs <<'EOF'
import moment from "moment-timezone";

for (const zone of ["America/Vancouver", "America/Los_Angeles"]) console.log("moment", moment.tz("2026-12-18T19:30", zone).format());
EOF
export ZONEINFO="$(go env GOROOT)/lib/time/zoneinfo.zip"

diff <(go run program.go && node program.mjs) - <<'EOF'
go     2026-12-18T19:30:00-08:00
go     2026-12-18T19:30:00-08:00
moment 2026-12-18T19:30:00-07:00
moment 2026-12-18T19:30:00-08:00
EOF
