#!/usr/bin/env bash
# Checks out an earlier commit of main with the settings of stages that main has now.
set -euo pipefail
commit=$1
[[ $commit =~ ^[0-9a-f]{40}$ ]] || { echo "Give the commit in full: 40 hexadecimal digits." >&2; exit 2; }
main=$(git rev-parse HEAD)
git merge-base --is-ancestor "$commit" "$main" || { echo "$commit is not a commit of main." >&2; exit 2; }
git checkout --quiet --detach "$commit"
git restore --source="$main" -- deploy/stages
echo "$commit, with the settings of $main."
