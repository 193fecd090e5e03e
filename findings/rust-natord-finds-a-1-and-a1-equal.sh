#!/usr/bin/env bash
# The crate natord ignores spaces: the seats "A 1" and "A1" compare as equal.
# versions: natord 1.0.9, alphanumeric-sort 1.5.8, human-sort 0.2.2; observed 2026-11-29
# guessed: "A 1" sorts before "A1" (55 %).
# seen: Equal, so that dedup_by removes one of two seats. alphanumeric-sort and human-sort sort the space first, and so put "A 10" before "A2".
# matters: Seat plans and guest lists in Rust. Sort with natord, but compare the texts themselves for equality.
# needs: cargo
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "program"
version = "0.1.0"
edition = "2021"
[dependencies]
natord = "=1.0.9"
alphanumeric-sort = "=1.5.8"
human-sort = "=0.2.2"
TOML
cat > src/main.rs <<'RUST'
fn main() {
    for (a, b) in [("A 1", "A1"), ("A 10", "A2"), ("Row 2 Seat 1", "Row2 Seat1")] {
        println!("{a}, {b}: natord {:?}, alphanumeric-sort {:?}, human-sort {:?}", natord::compare(a, b), alphanumeric_sort::compare_str(a, b), human_sort::compare(a, b));
    }
    let mut seats = vec!["A2", "A1", "A 1"];
    seats.sort_by(|a, b| natord::compare(a, b));
    seats.dedup_by(|a, b| natord::compare(a, b).is_eq());
    println!("{seats:?}");
}
RUST

diff <(cargo run --quiet) - <<'SEEN'
A 1, A1: natord Equal, alphanumeric-sort Less, human-sort Less
A 10, A2: natord Greater, alphanumeric-sort Less, human-sort Less
Row 2 Seat 1, Row2 Seat1: natord Equal, alphanumeric-sort Less, human-sort Less
["A1", "A2"]
SEEN
