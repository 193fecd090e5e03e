#!/usr/bin/env bash
# Apache POI's DataFormatter shows a number with twelve or more digits, in a cell with the format General, with only six significant digits.
# versions: poi-ooxml 5.4.1 with Java 17; observed 2026-11-28
# guessed: It shows the fifteen digits that Excel stores, 9.00719925474099E+15 for 2^53 - 1 (65 %).
# seen: 7.33109E+12 for a barcode of thirteen digits. The cell's numeric value is exact.
# matters: Java imports that read "what the user sees" from guest lists and barcode lists. Write codes into text cells, and read numeric cells with BigDecimal.
# needs: java 17, maven
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > pom.xml <<'EOF'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>findings</groupId><artifactId>findings</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.poi</groupId><artifactId>poi-ooxml</artifactId><version>5.4.1</version></dependency>
  </dependencies>
</project>
EOF
mvn -q -B dependency:copy-dependencies -DoutputDirectory=lib > /dev/null

cat > Program.java <<'EOF'
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.poi.ss.usermodel.DataFormatter;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;

public class Program {
  public static void main(String[] arguments) throws Exception {
    try (var workbook = new XSSFWorkbook()) {
      var row = workbook.createSheet("tickets").createRow(0);
      for (double number : new double[] {12345678901d, 123456789012d, 7331090050219d, 9007199254740991d}) {
        var cell = row.createCell(0);
        cell.setCellValue(number);
        var shown = new DataFormatter(Locale.UK).formatCellValue(cell);
        System.out.println(new BigDecimal(cell.getNumericCellValue()) + " is shown as " + shown);
      }
    }
  }
}
EOF

diff <(java -cp "lib/*" Program.java 2> /dev/null | grep "is shown as") - <<'EOF'
12345678901 is shown as 12345678901
123456789012 is shown as 1.23457E+11
7331090050219 is shown as 7.33109E+12
9007199254740991 is shown as 9.0072E+15
EOF
