#!/usr/bin/env bash
# Rust's `time` reads "2026-11-28_10:00:00Z" as RFC 3339, with any character between date and time; chrono and jiff reject it.
# versions: crates time 0.3.55, chrono 0.4.45, jiff 0.2.46 (observed, 2026-11-28)
# guessed: time accepts only T, not even a space (50 %); chrono accepts a space (60 %); jiff accepts what ISO 8601 allows (65 %)
# seen: time accepts a space and "_"; chrono accepts T and a space; only jiff accepts a time without seconds, and rejects twelve decimals
# matters: Rust programs that check `changed_since` before sending it, or store texts that another crate reads: a service that requires
#   "T" returns 400. Format the parsed value again, and send that instead of the text.
# needs: cargo
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat >Cargo.toml <<'TOML'
[package]
name = "program"
version = "0.1.0"
edition = "2021"
[dependencies]
chrono = { version = "=0.4.45", default-features = false, features = ["std"] }
jiff = { version = "=0.2.46", default-features = false, features = ["std"] }
time = { version = "=0.3.55", features = ["parsing"] }
TOML
cat >src/main.rs <<'RUST'
use time::format_description::well_known::Rfc3339;

fn main() {
    for text in ["2026-11-28T10:00:00Z", "2026-11-28 10:00:00Z", "2026-11-28_10:00:00Z", "2026-11-28T10:00Z", "2026-11-28T10:00:00.123456789012Z"] {
        let chrono = chrono::DateTime::parse_from_rfc3339(text).is_ok();
        let jiff = text.parse::<jiff::Timestamp>().is_ok();
        let time = time::OffsetDateTime::parse(text, &Rfc3339).is_ok();
        println!("{text}: chrono {chrono}, jiff {jiff}, time {time}");
    }
}
RUST
cargo run --quiet >seen

diff - seen <<'SEEN'
2026-11-28T10:00:00Z: chrono true, jiff true, time true
2026-11-28 10:00:00Z: chrono true, jiff true, time true
2026-11-28_10:00:00Z: chrono false, jiff false, time true
2026-11-28T10:00Z: chrono false, jiff true, time false
2026-11-28T10:00:00.123456789012Z: chrono true, jiff false, time true
SEEN
echo "as seen"
