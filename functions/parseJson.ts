/** Parses JSON. A problem contains only the position from the parser's message, because the message quotes the text, which may be personal data. */
export function parseJson(text: string): { value: unknown } | { value?: undefined; problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const position = error instanceof Error && / at position (\d+)/.exec(error.message)?.[1];
    return { problem: `Not JSON${position ? ` at character ${Number(position) + 1}` : ""}.` };
  }
}
