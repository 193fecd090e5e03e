#!/usr/bin/env bash
# ndeflib's `uri` of a record that has percent-encoded characters encodes their percent signs, and the = of a query.
# versions: ndeflib 0.3.3; observed 2026-11-29
# guessed: `uri` equals the address given (70 %).
# seen: a%2520b and ?seat%3D12. `iri`, and the tag's bytes, have the address as given.
# matters: Programs that write links to tickets on wristbands and log or compare `uri`: the logged address is another one. Use `iri`.
# needs: python 3.11
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip install -q ndeflib==0.3.3

cat > program.py <<'PY'
import ndef

for address in ("https://tickets.example/a%20b", "https://tickets.example/t?seat=12", "https://tickets.example/Zoë"):
    octets = b"".join(ndef.message_encoder([ndef.UriRecord(address)]))
    (record,) = ndef.message_decoder(octets)
    print(record.iri, record.uri, octets[5:].decode())
PY

diff <(env/bin/python program.py) - <<'SEEN'
https://tickets.example/a%20b https://tickets.example/a%2520b tickets.example/a%20b
https://tickets.example/t?seat=12 https://tickets.example/t?seat%3D12 tickets.example/t?seat=12
https://tickets.example/Zoë https://tickets.example/Zo%C3%AB tickets.example/Zoë
SEEN
