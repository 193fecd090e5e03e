/** The value of a JSON text, or why it is none. The parser's own message quotes the text; only the place is taken from it. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const position = error instanceof Error && / at position (\d+)/.exec(error.message)?.[1];
    return { problem: `Not JSON${position ? ` at character ${Number(position) + 1}` : ""}.` };
  }
}
