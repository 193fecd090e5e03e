#!/usr/bin/env bash
# Prints when a stage's stacks were last changed. Given its earlier output as a second argument, fails if they have changed since, because the
# approval was for another diff.
set -euo pipefail
stage=$1 approved=${2-any}
state=
for stack in "ticketing-$stage-data" "ticketing-$stage"; do
  state+=" $stack $(aws cloudformation describe-stacks --stack-name "$stack" --query 'Stacks[0].[LastUpdatedTime || CreationTime, StackStatus]' --output text | tr '\t' ' ')"
done
state=${state# }
echo "$state"
[[ $approved == any || $approved == "$state" ]] || {
  echo "The stage $stage has changed since its diff was approved. Then: $approved. Run the job diff again, and approve what it shows." >&2
  exit 1
}
