import { temporaryDirectory as directoryNamed } from "../../lib/shared/temporaryDirectory.ts";

/** A new directory, which is removed after the last test of the file. */
export function temporaryDirectory(): string {
  return directoryNamed("ticketing-test-");
}
