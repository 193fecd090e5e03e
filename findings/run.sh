#!/usr/bin/env bash
# Runs all findings, or those named: findings/run.sh exceljs-reads-x2026-in-a-name-as-an-ellipsis
set -euo pipefail
cd "$(dirname "$0")"
names=("$@")
if [ $# = 0 ]; then
  for script in *.sh; do [ "$script" = run.sh ] || names+=("${script%.sh}"); done
fi
failed=0
for name in "${names[@]}"; do
  if output=$("./$name.sh" 2>&1); then
    echo "pass $name"
  else
    failed=1
    printf 'FAIL %s\n%s\n' "$name" "$output"
  fi
done
exit "$failed"
