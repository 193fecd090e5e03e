#!/usr/bin/env bash
# passkit-generator's localize writes translations between quotation marks without escaping the quotation marks in them.
# versions: passkit-generator 3.6.1, @walletpass/pass-js 6.9.8; observed 2026-11-28
# guessed: Quotation marks are escaped (55 %), line breaks are not (50 %).
# seen: Neither is escaped, so a straight quotation mark in an event's name ends the text early. pass-js escapes both.
# matters: Passes in several languages whose event or place has a quoted name. Escape `\` and `"` before you call localize, and write a line break as `\n`.
# needs: node 20, npm, openssl, unzip
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund passkit-generator@3.6.1 @walletpass/pass-js@6.9.8
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem -days 2 -subj "/CN=pass.org.example" 2> /dev/null

cat > program.mjs <<'EOF'
import { readFileSync, writeFileSync } from "node:fs";
import { Template } from "@walletpass/pass-js";
import { PKPass } from "passkit-generator";

const texts = { name: 'Der "Ring"', place: "Haus 1\nSaal 2" };
const certificate = readFileSync("certificate.pem");
const certificates = { wwdr: certificate, signerCert: certificate, signerKey: readFileSync("key.pem") };
const about = { passTypeIdentifier: "pass.org.example", teamIdentifier: "T", organizationName: "O", description: "D" };
const pass = new PKPass({ "icon.png": Buffer.from("-") }, certificates, { ...about, serialNumber: "50116" });
pass.type = "eventTicket";
pass.localize("de", texts);
writeFileSync("ticket.pkpass", pass.getAsBuffer());

const template = new Template("eventTicket", about);
template.localization.add("de", texts);
for (const { data } of template.localization.toArray()) writeFileSync("pass-js.strings", data.toString("utf16le").slice(1));
EOF
node program.mjs

diff <(echo passkit-generator && unzip -p ticket.pkpass de.lproj/pass.strings && echo && echo pass-js && cat pass-js.strings && echo) - <<'EOF'
passkit-generator
"name" = "Der "Ring"";
"place" = "Haus 1
Saal 2";
pass-js
"name" = "Der \"Ring\"";
"place" = "Haus 1\nSaal 2";
EOF
