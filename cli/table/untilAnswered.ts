import { type Pause, untilTaken } from "../../functions/ingest/untilTaken.ts";

/**
 * Asks the table until it answers, however long it throttles.
 *
 * @param call may be made more than once.
 * @throws GivenUp
 */
export async function untilAnswered<Answer>(call: () => Promise<Answer>, pause: Pause): Promise<Answer> {
  const answers: Answer[] = [];
  const ask = async () => {
    answers.push(await call());
    return [];
  };
  await untilTaken([call], ask, pause);
  const [answer] = answers;
  if (answer === undefined) throw new Error("The table answered nothing.");
  return answer;
}
