import TestSequencer from "@jest/test-sequencer";

// The package's types describe its CommonJS build. In an ES module, the default import is the class itself.
const Sequencer = TestSequencer as unknown as typeof TestSequencer.default;
type Test = Parameters<InstanceType<typeof Sequencer>["sort"]>[0][number];

/** Starts the journeys first: they take longest, and the other files fit beside them. */
export default class JourneysFirst extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const isJourneys = ({ path }: Test) => path.endsWith("journeys.test.ts");
    const others = await super.sort(tests.filter((test) => !isJourneys(test)));
    return [...tests.filter(isJourneys), ...others];
  }
}
