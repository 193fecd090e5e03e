export { startDelivery } from "./delivery.ts";
export { MemoryQueue } from "./memoryQueue.ts";
export { sqsActions, startSqsServer } from "./sqsServer.ts";
