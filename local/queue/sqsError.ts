const coral = "com.amazon.coral.service";
const sqs = "com.amazonaws.sqs";

/** The SQS errors of the local queue: namespace and name in the JSON protocol, and name in the older query protocol. */
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

export class SqsError extends Error {
  override readonly name = "SqsError";
  /** Namespace and name in the JSON protocol. */
  readonly type: string;
  /** Name in the query protocol, which clients still report. */
  readonly code: string;

  constructor(error: keyof typeof errors, message: string) {
    super(message);
    const [namespace, name, code] = errors[error];
    this.type = `${namespace}#${name}`;
    this.code = code;
  }
}
