import { types } from "node:util";
import { TestEnvironment } from "jest-environment-node";

const NodeError = Error;
const isInstance = Function.prototype[Symbol.hasInstance];

// Native add-ons use Node's realm to recognise a RegExp; this lets them recognise those of a file's realm too.
Object.defineProperty(RegExp, Symbol.hasInstance, { value: types.isRegExp });

/** A test, a hook or a block, in a block. */
interface Part {
  name?: string;
  type?: string;
  parent?: Part | null;
}

/** The parts of jest-circus's events that are used here. */
interface CircusEvent {
  name: string;
  test?: Part;
  hook?: Part;
}

/** After this time, a test that still runs is named. It goes on, because a busy machine is many times slower than an idle one. */
const patienceMs = 50_000;

/** Jest's own realm for each file, made more like a separate process. */
export default class FileEnvironment extends TestEnvironment {
  #reminder: NodeJS.Timeout | undefined;

  /** Names a test or a hook that takes long, so that a hanging one is known before Jest ends it. */
  async handleTestEvent({ name, test, hook }: CircusEvent): Promise<void> {
    if (!/^(test_fn|hook)_(start|success|failure)$/.test(name)) return;
    clearTimeout(this.#reminder);
    if (!name.endsWith("_start")) return;
    const names: string[] = [];
    for (let part: Part | null | undefined = hook ?? test; part; part = part.parent) {
      names.unshift(part.name ?? part.type ?? "");
    }
    const text = `Still running after ${patienceMs / 1_000} s: ${names.slice(1).join(" › ")}\n`;
    this.#reminder = setTimeout(() => process.stderr.write(text), patienceMs).unref();
  }

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
