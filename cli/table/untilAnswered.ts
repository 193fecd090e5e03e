import { type Pause, untilTaken } from "../../functions/ingest/untilTaken.ts";

/**
 * Retries a read of the table while it is throttled.
 *
 * @param call may run more than once.
 * @throws GivenUp after too many failures.
 */
export async function untilAnswered<Answer>(call: () => Promise<Answer>, pause: Pause): Promise<Answer> {
  const answers: Answer[] = [];
  const ask = async () => {
    answers.push(await call());
    return [];
  };
  await untilTaken([call], ask, pause);
  const [answer] = answers;
  if (answer === undefined) throw new Error("The table returned nothing.");
  return answer;
}
