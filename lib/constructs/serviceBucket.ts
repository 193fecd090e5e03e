import { CfnResource, RemovalPolicy, Stack } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { Stage } from "../settings.ts";
import { serviceLogGroup } from "./serviceLogGroup.ts";

/** A private bucket. It outlives its stack like everything that stores data, except in `dev`, where its objects are deleted too. */
export function serviceBucket(scope: Construct, stage: Stage, props: BucketProps = {}): Bucket {
  const isDisposable = stage === "dev";
  const bucket = new Bucket(scope, "Bucket", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: isDisposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
    autoDeleteObjects: isDisposable,
    ...props,
  });
  if (isDisposable) addEmptyingLog(Stack.of(scope));
  return bucket;
}

/** Gives CDK's bucket-emptying function a log group of the stack: its default log group would outlive the stack. */
function addEmptyingLog(stack: Stack): void {
  const provider = stack.node.findChild("Custom::S3AutoDeleteObjectsCustomResourceProvider");
  const handler = provider.node.findChild("Handler");
  if (provider.node.tryFindChild("Logs") || !CfnResource.isCfnResource(handler)) return;
  handler.addPropertyOverride("LoggingConfig.LogGroup", serviceLogGroup(provider, "Logs").logGroupName);
}
