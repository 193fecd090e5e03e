import { CfnResource, RemovalPolicy, Stack } from "aws-cdk-lib";
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import { serviceLogGroup } from "./serviceFunction.ts";

/** A private bucket. A disposable one is deleted with its stack, and its objects too. */
export function serviceBucket(scope: Construct, isDisposable: boolean, props: BucketProps = {}): Bucket {
  const bucket = new Bucket(scope, "Bucket", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    removalPolicy: isDisposable ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
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
