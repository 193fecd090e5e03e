/** Tells what is being done, beside the table. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
