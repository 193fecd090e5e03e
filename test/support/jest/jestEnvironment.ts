import { types } from "node:util";
import { TestEnvironment } from "jest-environment-node";

const NodeError = Error;
const isInstance = Function.prototype[Symbol.hasInstance];

// Native add-ons use Node's realm to recognise a RegExp; this lets them recognise those of a file's realm too.
Object.defineProperty(RegExp, Symbol.hasInstance, { value: types.isRegExp });

/** Jest's own realm for each file, made more like a separate process. */
export default class FileEnvironment extends TestEnvironment {
  override async setup(): Promise<void> {
    await super.setup();
    const { Error: FileError } = this.global;
    // The errors of Node's core belong to Node's realm; here they also count as errors in the file's realm.
    Object.defineProperty(FileError, Symbol.hasInstance, {
      value(this: unknown, value: unknown) {
        return isInstance.call(this, value) || (this === FileError && value instanceof NodeError);
      },
    });
  }

  override async teardown(): Promise<void> {
    // The file's copy of `process` does not exit by itself. This ends what the file left running.
    this.global.process.emit("exit", 0);
    await super.teardown();
  }
}
