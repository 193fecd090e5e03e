#!/usr/bin/env bash
# Java's OffsetDateTime.parse accepts the offset -05 but not -0500, and Instant.parse accepts neither, nor a time without seconds.
# versions: OpenJDK 17.0.15; observed 2026-11-28
# guessed: OffsetDateTime accepts -05 and -0500 (60 %).
# seen: -0500 fails with "unparsed text found". V8's Date is the reverse: it reads -0500, but not -05.
# matters: Java clients of an API that returns ISO 8601 times as other systems wrote them. Build a formatter with optional parts.
# needs: java 17
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > Program.java <<'EOF'
import java.time.*;
import java.time.format.*;
import java.util.function.Function;

public class Program {
  static String attempt(Function<String, Object> parse, String text) {
    try {
      return parse.apply(text).toString();
    } catch (DateTimeException error) {
      return "refused";
    }
  }

  public static void main(String[] arguments) {
    var anyOffset = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm[:ss][XXX][XX][X]");
    for (var offset : new String[] {":00Z", ":00-05:00", ":00-05", ":00-0500", "-05:00", "-0500"}) {
      var text = "2025-12-18T19:30" + offset;
      System.out.println(text);
      System.out.println("  OffsetDateTime " + attempt(OffsetDateTime::parse, text));
      System.out.println("  Instant        " + attempt(Instant::parse, text));
      System.out.println("  own formatter  " + attempt(it -> OffsetDateTime.parse(it, anyOffset), text));
    }
  }
}
EOF

diff <(java Program.java) - <<'EOF'
2025-12-18T19:30:00Z
  OffsetDateTime 2025-12-18T19:30Z
  Instant        2025-12-18T19:30:00Z
  own formatter  2025-12-18T19:30Z
2025-12-18T19:30:00-05:00
  OffsetDateTime 2025-12-18T19:30-05:00
  Instant        2025-12-19T00:30:00Z
  own formatter  2025-12-18T19:30-05:00
2025-12-18T19:30:00-05
  OffsetDateTime 2025-12-18T19:30-05:00
  Instant        refused
  own formatter  2025-12-18T19:30-05:00
2025-12-18T19:30:00-0500
  OffsetDateTime refused
  Instant        refused
  own formatter  2025-12-18T19:30-05:00
2025-12-18T19:30-05:00
  OffsetDateTime 2025-12-18T19:30-05:00
  Instant        refused
  own formatter  2025-12-18T19:30-05:00
2025-12-18T19:30-0500
  OffsetDateTime refused
  Instant        refused
  own formatter  2025-12-18T19:30-05:00
EOF
