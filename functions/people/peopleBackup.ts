import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { peopleKeyOf } from "./peopleBackupDelivery.ts";
import { storeObject } from "./storeObject.ts";
import { readPeople } from "./userPool.ts";

const Environment = z.object({
  USER_POOL_ID: z.string().min(1),
  SUPER_ADMIN_GROUP: z.string().min(1),
  BACKUP_BUCKET: z.string().min(1),
});

/** The schedule's event. Its time stays the same when Lambda retries, also after midnight. */
const Scheduled = z.object({ time: z.iso.datetime() });

/** Writes all people of the user pool to the backup bucket, one JSON object per line. It logs only their number. */
export async function handler(event: unknown): Promise<void> {
  const startedMs = performance.now();
  const { USER_POOL_ID, SUPER_ADMIN_GROUP, BACKUP_BUCKET } = Environment.parse(process.env);
  const key = peopleKeyOf(Scheduled.parse(event).time.slice(0, 10));
  const people = await readPeople(USER_POOL_ID, SUPER_ADMIN_GROUP);
  await storeObject(BACKUP_BUCKET, key, people.map((person) => `${JSON.stringify(person)}\n`).join(""));
  logger.info("peopleBackup", {
    key,
    people: people.length,
    ...measurements({ operationId: "peopleBackup", startedMs }),
  });
}
