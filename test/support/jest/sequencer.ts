import TestSequencer from "@jest/test-sequencer";

// The package's types describe its CommonJS build. In an ES module, the default import is the class itself.
const Sequencer = TestSequencer as unknown as typeof TestSequencer.default;
type Test = Parameters<InstanceType<typeof Sequencer>["sort"]>[0][number];

/** Starts the promises over HTTP first: they take longest, and the other files fit beside them. */
export default class PromisesFirst extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const isPromises = ({ path }: Test) => path.includes("/test/promises/");
    const others = await super.sort(tests.filter((test) => !isPromises(test)));
    return [...tests.filter(isPromises), ...others];
  }
}
