/*
 * AWS's public prices in us-east-1 (N. Virginia), in US dollars, without taxes, free tiers and agreements. Those of eu-west-1 (Ireland) are
 * the same or up to some 13 % higher. They are as known at the date below: before they are relied on, they are to be compared with
 * https://aws.amazon.com/pricing/.
 */

/** What the prices are of: the region, and the time as of which they are known. */
export const priceList = { region: "us-east-1", asOf: "mid-2025" } as const;

const million = 1_000_000;

/** The price of one: a request, a unit, a GB, a month of something. */
export const prices = {
  /** The first 333 million requests of a month; what comes after is cheaper, and counted below. */
  apiGatewayRequest: 3.5 / million,
  apiGatewayRequestAbove333Million: 2.8 / million,
  webAclMonth: 5,
  webAclRuleMonth: 1,
  webAclRequest: 0.6 / million,
  lambdaInvocation: 0.2 / million,
  /** arm64. */
  lambdaGBSecond: 0.0000133334,
  dynamoDbReadUnit: 0.125 / million,
  dynamoDbWriteUnit: 0.625 / million,
  dynamoDbStorageGBMonth: 0.25,
  dynamoDbRecoveryGBMonth: 0.2,
  /** Lambda's own reading of a stream is free. Whether a pipe's is, the price list does not say: counted as if it were not. */
  dynamoDbStreamRead: 0.2 / million,
  sqsRequest: 0.4 / million,
  pipeRequest: 0.4 / million,
  customEvent: 1 / million,
  s3StorageGBMonth: 0.023,
  cloudFrontRequest: 1 / million,
  cloudFrontFunction: 0.1 / million,
  /** To viewers in Europe and North America, the first 10 TB of a month. */
  cloudFrontGB: 0.085,
  logGB: 0.5,
  logStorageGBMonth: 0.03,
  customMetricMonth: 0.3,
  alarmMetricMonth: 0.1,
  dashboardMonth: 3,
  traceRecorded: 5 / million,
  kmsKeyMonth: 1,
} as const;
