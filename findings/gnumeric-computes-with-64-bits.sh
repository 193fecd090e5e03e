#!/usr/bin/env bash
# Debian's Gnumeric keeps the id 9007199254740993 and computes with it exactly. LibreOffice rounds it.
# versions: Gnumeric 1.12.55, LibreOffice 7.4.7 (Debian 12); observed 2026-11-29
# guessed: Rounded (75 %); a difference to 9007199254740992 of 0 (70 %).
# seen: All digits, and a difference of 1. LibreOffice writes 9007199254740990.
# matters: A check with Gnumeric that ids survive a spreadsheet says nothing about the others. Import ids as texts.
# needs: debian 12 with gnumeric and libreoffice-calc-nogui
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf 'id,difference\n9007199254740993,=A2-9007199254740992\n' > ids.csv
ssconvert ids.csv gnumeric.csv > /dev/null 2>&1
soffice --headless "-env:UserInstallation=file://$folder/profile" --convert-to xlsx --outdir out ids.csv > /dev/null 2>&1
soffice --headless "-env:UserInstallation=file://$folder/profile" --convert-to csv --outdir out out/ids.xlsx > /dev/null 2>&1

diff <(tail -n 1 gnumeric.csv && tail -n 1 out/ids.csv | cut -d , -f 1) - <<'SEEN'
9007199254740993,1
9007199254740990
SEEN
