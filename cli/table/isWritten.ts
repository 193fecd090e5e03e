import { ConditionFailed } from "../../functions/table/errors.ts";

/** @returns false if the write's condition does not hold. */
export async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
