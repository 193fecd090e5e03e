#!/usr/bin/env bash
# Java's Collator finds the seats 1-1 and 11 equal at the strength PRIMARY, because it ignores hyphens and spaces.
# versions: Java 17.0.15, Locale.GERMANY; observed 2026-11-29
# guessed: They differ at PRIMARY (50 %).
# seen: 0 for "1-1" and "A 1". At the default strength, they differ, but are sorted as if without hyphens: 11, 1-1, 1-10, 12, 1-2.
# matters: Java programs that find seats without regard to case (strength PRIMARY): row 1 seat 1 is seat 11. Use equalsIgnoreCase, and sort rows and seats apart.
# needs: java 17
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > Program.java <<'JAVA'
import java.text.Collator;
import java.util.*;

public class Program {
  public static void main(String[] arguments) {
    var collator = Collator.getInstance(Locale.GERMANY);
    var seats = new ArrayList<>(List.of("1-1", "1-2", "1-10", "11", "12"));
    seats.sort(collator);
    System.out.println(seats);
    collator.setStrength(Collator.PRIMARY);
    for (var pair : List.of(List.of("1-1", "11"), List.of("A 1", "A1"), List.of("1.1", "11")))
      System.out.println(pair + " " + collator.compare(pair.get(0), pair.get(1)));
  }
}
JAVA

diff <(java Program.java) - <<'SEEN'
[11, 1-1, 1-10, 12, 1-2]
[1-1, 11] 0
[A 1, A1] 0
[1.1, 11] -1
SEEN
