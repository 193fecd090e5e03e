"""Checks executionPolicy.json and onCallPolicy.json against AWS's reference of actions: every action exists, and a statement limited to resources
grants only actions that support them. IAM ignores an action that supports only the resource "*" in a statement that names others."""

import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from policy_sentry.querying.actions import get_actions_for_service, get_actions_that_support_wildcard_arns_only

# Actions that match the policy's wildcards and support only the resource "*", but that no deployment calls.
NOT_CALLED = {
    "Lists of the whole account": [
        "cloudwatch:List*",
        "codedeploy:List*",
        "dynamodb:List*",
        "events:List*",
        "lambda:List*",
        "logs:List*",
        "pipes:List*",
        "s3:List*",
        "secretsmanager:ListSecrets",
        "sns:List*",
        "sqs:List*",
    ],
    "Settings of the whole account": [
        "dynamodb:*AbacStatus",
        "dynamodb:*ReservedCapacity*",
        "dynamodb:DescribeLimits",
        "lambda:GetAccountSettings",
        "logs:*AccountPolic*",
        "s3:*AccountPublicAccessBlock",
        "s3:*StorageLens*",
        "s3:PutAccessPointPublicAccessBlock",
    ],
    "Metrics, logs, secrets and runs as people and programs read or write them": [
        "cloudwatch:BatchGetServiceLevelIndicatorReport",
        "cloudwatch:DescribeAlarmsForMetric",
        "cloudwatch:Generate*",
        "cloudwatch:GetMetric*",
        "cloudwatch:GetTopology*",
        "cloudwatch:Link",
        "cloudwatch:PutMetricData",
        "dynamodb:DescribeEndpoints",
        "dynamodb:InjectError",
        "events:TestEventPattern",
        "logs:*Queries",
        "logs:CallWithBearerToken",
        "logs:DescribeFieldIndexes",
        "logs:GetLogFields",
        "logs:Link",
        "logs:StopLiveTail",
        "logs:StopQuery",
        "logs:Test*",
        "s3:CreateJob",
        "secretsmanager:BatchGetSecretValue",
    ],
    "Features that no stage uses": [
        "cloudwatch:*AnomalyDetector*",
        "cloudwatch:*InsightRules",
        "cloudwatch:*ServiceLevelObjective",
        "cloudwatch:EnableTopologyDiscovery",
        "codedeploy:*DeploymentTarget*",
        "codedeploy:*GitHub*",
        "codedeploy:ContinueDeployment",
        "codedeploy:CreateCloudFormationDeployment",
        "codedeploy:DeleteResourcesByExternalId",
        "codedeploy:PutLifecycleEventHookExecutionStatus",
        "codedeploy:SkipWaitTimeForInstanceTermination",
        "events:*Permission",
        "events:PutPartnerEvents",
        "lambda:CreateCodeSigningConfig",
        "logs:*Import*",
        "logs:*Integration",
        "logs:*PipelineRule",
        "logs:CancelExportTask",
        "logs:DeleteIndexPolicy",
        "logs:DeleteResourcePolicy",
        "logs:DescribeConfigurationTemplates",
        "logs:DescribeDeliver*",
        "logs:DescribeDestinations",
        "logs:DescribeExportTasks",
        "logs:DescribeLookupTables",
        "logs:PutIndexPolicy",
        "s3:GetAccessPoint",
        "sns:*Endpoint*",
        "sns:*PhoneNumber*",
        "sns:*Platform*",
        "sns:*SMS*",
    ],
}


def listed(value):
    return value if isinstance(value, list) else [value]


def matches(pattern, action):
    return fnmatchcase(action.lower(), pattern.lower())


def expanded(pattern):
    return [action for action in get_actions_for_service(pattern.split(":")[0]) if matches(pattern, action)]


def problems(statements, not_called):
    grants = [(pattern, listed(one["Resource"])) for one in statements for pattern in listed(one["Action"])]
    on_everything = {action for pattern, resources in grants if resources == ["*"] for action in expanded(pattern)}
    unused = {pattern: reason for reason, patterns in not_called.items() for pattern in patterns}
    for pattern, resources in grants:
        actions = expanded(pattern)
        if not actions:
            yield f"{pattern} matches no action."
        if resources == ["*"]:
            continue
        only_everything = set(get_actions_that_support_wildcard_arns_only(pattern.split(":")[0]))
        for action in sorted(only_everything.intersection(actions) - on_everything):
            excuses = [excuse for excuse in unused if "*" in pattern and matches(excuse, action)]
            for excuse in excuses:
                unused[excuse] = None
            if not excuses:
                yield f'{action} only supports the resource "*"; allow it there, or add it to NOT_CALLED with a reason.'
    for pattern, reason in unused.items():
        if reason:
            yield f'{pattern} ("{reason}") in NOT_CALLED excuses nothing.'


def statements_in(name):
    return json.loads(Path(__file__).with_name(name).read_text())["Statement"]


found = [*problems(statements_in("executionPolicy.json"), NOT_CALLED), *problems(statements_in("onCallPolicy.json"), {})]
print("\n".join(found) or "Every action of the policies exists and is granted.")
sys.exit(1 if found else 0)
