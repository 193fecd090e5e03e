import { testExamples } from "./testExamples.ts";

// Apart from the other tests, since a machine may lack curl or python3; here they fail then.
testExamples("sh", "python");
