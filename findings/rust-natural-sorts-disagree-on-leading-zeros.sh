#!/usr/bin/env bash
# Rust's crates for natural sorting order 01 and 1 in opposite ways, and natord compares numbers with a leading zero like decimals.
# versions: alphanumeric-sort 1.5.8, human-sort 0.2.2, lexical-sort 0.3.1, natord 1.0.9; observed 2026-11-29
# guessed: alphanumeric-sort puts 01 before 1 (55 %).
# seen: alphanumeric-sort and lexical-sort put 1 first, human-sort and natord 01. natord puts A010 before A02, as 0.010 before 0.02.
# matters: Lists with seats such as 01 to 10: two services show different orders, and a merge of their sorted lists misses rows. Pad all seats to one length first.
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
alphanumeric-sort = "=1.5.8"
human-sort = "=0.2.2"
lexical-sort = "=0.3.1"
natord = "=1.0.9"
TOML
cat > src/main.rs <<'RUST'
fn main() {
    type Compare = fn(&str, &str) -> std::cmp::Ordering;
    let sorts: [(&str, Compare); 4] = [
        ("alphanumeric-sort", |a, b| alphanumeric_sort::compare_str(a, b)),
        ("human-sort", human_sort::compare),
        ("lexical-sort", lexical_sort::natural_cmp),
        ("natord", natord::compare),
    ];
    for (name, compare) in sorts {
        let mut seats = vec!["A1", "A01", "A010", "A02", "A9"];
        seats.sort_by(|a, b| compare(a, b));
        println!("{name}: {}", seats.join(" "));
    }
}
RUST

diff <(cargo run --quiet) - <<'SEEN'
alphanumeric-sort: A1 A01 A02 A9 A010
human-sort: A01 A1 A02 A9 A010
lexical-sort: A1 A9 A01 A02 A010
natord: A01 A010 A02 A1 A9
SEEN
