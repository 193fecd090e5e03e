"""Checks the roles of templates against AWS's reference of actions: every action exists, and AWS evaluates each key of a condition for it. A condition
of the kind ForAllValues is true for a key that no request has, so it would limit nothing. Prints what each function may write into the table.
Usage: python checkRoles.py TEMPLATE..."""

import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from policy_sentry.querying.actions import get_action_data, get_actions_for_service

WRITES = ("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem")


def listed(value):
    return value if isinstance(value, list) else [value]


def expanded(pattern):
    service, _, name = pattern.partition(":")
    if "*" not in name:
        return [pattern] if get_action_data(service, name) else []
    return [action for action in get_actions_for_service(service) if fnmatchcase(action.lower(), pattern.lower())]


def keys_of(action):
    service, _, name = action.partition(":")
    return {key for one in get_action_data(service, name)[service] for key in one["condition_keys"]}


def statements_of(resources):
    """Each statement of roles, with the description of the role's function or the id of the resource that contains it."""
    functions = {
        listed(one["Properties"]["Role"].get("Fn::GetAtt"))[0]: one["Properties"].get("Description", "")
        for one in resources.values()
        if one["Type"] == "AWS::Lambda::Function"
    }
    for id, one in resources.items():
        policies = {
            "AWS::IAM::Role": one["Properties"].get("Policies", []),
            "AWS::IAM::Policy": [one["Properties"]],
        }
        for policy in policies.get(one["Type"], []):
            for statement in policy["PolicyDocument"]["Statement"]:
                yield functions.get(id) or id, statement


def problems(name, statement):
    used = {key for operator in statement.get("Condition", {}).values() for key in operator}
    for pattern in listed(statement["Action"]):
        actions = expanded(pattern)
        if not actions:
            yield f"{name}: {pattern} matches no action."
        for action in actions:
            for key in sorted(key for key in used - keys_of(action) if not key.startswith("aws:")):
                yield f"{name}: AWS does not evaluate {key} for {action}."


def writes(name, statement):
    for action in listed(statement["Action"]):
        if action in WRITES:
            for operator in statement["Condition"].values():
                for key, values in operator.items():
                    if values != "false":
                        yield f"{name}: {action}, {key}: {', '.join(listed(values))}"


statements = [
    one for file in sys.argv[1:] for one in statements_of(json.loads(Path(file).read_text())["Resources"])
]
print("\n".join(sorted(line for one in statements for line in writes(*one))))
found = [line for one in statements for line in problems(*one)]
print("\n".join(found) or f"AWS evaluates every condition of {len(statements)} statements.")
sys.exit(1 if found or not statements else 0)
