const coral = "com.amazon.coral.service";
const sqs = "com.amazonaws.sqs";

/** The errors of SQS that its local stand-in gives: what its JSON protocol calls them, and what its older one did. */
const errors = {
  BatchEntryIdsNotDistinct: [sqs, "BatchEntryIdsNotDistinct", "AWS.SimpleQueueService.BatchEntryIdsNotDistinct"],
  BatchRequestTooLong: [sqs, "BatchRequestTooLong", "AWS.SimpleQueueService.BatchRequestTooLong"],
  EmptyBatchRequest: [sqs, "EmptyBatchRequest", "AWS.SimpleQueueService.EmptyBatchRequest"],
  InvalidAttributeName: [sqs, "InvalidAttributeName", "InvalidAttributeName"],
  InvalidMessageContents: [sqs, "InvalidMessageContents", "InvalidMessageContents"],
  InvalidParameterValue: [coral, "InvalidParameterValueException", "InvalidParameterValue"],
  MessageNotInflight: [sqs, "MessageNotInflight", "AWS.SimpleQueueService.MessageNotInflight"],
  MissingParameter: [coral, "MissingRequiredParameterException", "MissingParameter"],
  QueueDoesNotExist: [sqs, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"],
  Serialization: [coral, "SerializationException", "MalformedInput"],
  TooManyEntries: [sqs, "TooManyEntriesInBatchRequest", "AWS.SimpleQueueService.TooManyEntriesInBatchRequest"],
  UnknownOperation: [coral, "UnknownOperationException", "InvalidAction"],
} as const;

/** What SQS answers to a request that it does not do. */
export class SqsError extends Error {
  override readonly name = "SqsError";
  /** Its name in the JSON protocol, with its namespace. */
  readonly type: string;
  /** Its name in the query protocol, by which clients still know it. */
  readonly code: string;

  constructor(error: keyof typeof errors, message: string) {
    super(message);
    const [namespace, name, code] = errors[error];
    this.type = `${namespace}#${name}`;
    this.code = code;
  }
}
