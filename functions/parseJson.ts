/** Parses JSON, after a byte order mark if there is one. A problem contains only the position from the parser's message, because the message quotes the text. */
export function parseJson(text: string): { value: unknown } | { value?: undefined; problem: string } {
  try {
    return { value: JSON.parse(text.replace(/^\ufeff/, "")) };
  } catch (error) {
    const position = error instanceof Error && / at position (\d+)/.exec(error.message)?.[1];
    return { problem: `Not JSON${position ? ` at character ${Number(position) + 1}` : ""}.` };
  }
}

/** A part of a JSON text that parsing changes or loses, or that other programs cannot store. */
export interface JsonFault {
  path: (string | number)[];
  message: string;
}

/** Deeper than any schema. Without a limit, the paths in a deeply nested text would take memory quadratic in its length. */
const deepestPath = 20;

const colon = /\s*:/y;
const number = /[\d.eE+-]+/y;

/**
 * Finds repeated members and rounded numbers, which JSON.parse loses or changes in valid JSON text, and strings that UTF-8 or PostgreSQL cannot
 * express.
 * @param value the result of JSON.parse.
 */
export function faultsIn(json: string, value: unknown): JsonFault[] {
  return isExact(json, value) ? [] : scan(json);
}

/** More digits than every float keeps, an exponent, or an escape such as \ud800. Most texts contain none and skip the slower scan. */
const suspicious = /\d[\d.]{15}|\d[eE]|\\u/;

/** May be false for a text without faults. A repeated member counts in the text, but not in the value. */
function isExact(json: string, value: unknown): boolean {
  return json.isWellFormed() && !suspicious.test(json) && json.match(/"\s*:/g)?.length === membersIn(value);
}

/** The members of all objects within a value, which may be nested too deeply for recursion. */
function membersIn(value: unknown): number {
  let members = 0;
  const left = [value];
  for (const one of left) {
    if (typeof one !== "object" || one === null) continue;
    const inside = Object.values(one);
    if (!Array.isArray(one)) members += inside.length;
    for (const child of inside) if (typeof child === "object") left.push(child);
  }
  return members;
}

function scan(json: string): JsonFault[] {
  const faults: JsonFault[] = [];
  /** The open objects and arrays, each with its current member or element. */
  const open: { at: string | number; names?: Set<string> }[] = [];
  const add = (message: string | undefined) => {
    if (message !== undefined) faults.push({ path: open.slice(0, deepestPath).map(({ at }) => at), message });
  };
  for (let start = 0, end = 1; start < json.length; start = end) {
    const mark = json[start] ?? "";
    const innermost = open.at(-1);
    end = start + 1;
    if (mark === "{") open.push({ at: "", names: new Set() });
    else if (mark === "[") open.push({ at: 0 });
    else if (mark === "}" || mark === "]") open.pop();
    else if (mark === "," && typeof innermost?.at === "number") innermost.at += 1;
    else if (mark === '"') {
      end = endOfText(json, start);
      const quoted = json.slice(start, end);
      const text: string = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
      colon.lastIndex = end;
      if (innermost?.names && colon.test(json)) {
        innermost.at = text;
        if (innermost.names.has(text)) add("May be given only once.");
        innermost.names.add(text);
      }
      add(textProblem(text));
    } else if (mark === "-" || (mark >= "0" && mark <= "9")) {
      number.lastIndex = start;
      const [text = ""] = number.exec(json) ?? [];
      end = start + text.length;
      if (isRounded(text)) add(rounded);
    }
  }
  return faults;
}

function endOfText(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
  return end + 1;
}

const rounded = "Must have fewer digits: as an IEEE 754 number, it would be rounded.";

export function textProblem(text: string): string | undefined {
  if (!text.isWellFormed()) return "Must be valid Unicode, without lone surrogates.";
  return text.includes("\0") ? "Must not contain the character U+0000." : undefined;
}

function isRounded(text: string): boolean {
  const kept = Number(text);
  return String(kept) !== text && (!Number.isFinite(kept) || decimal(String(kept)).digits !== decimal(text).digits);
}

/** The significant digits of a number, none for 0, and the exponent of ten of the last one. */
export function decimal(text: string): { digits: string; exponent: number } {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = (whole + fraction).replace(/^-?0*/, "");
  let length = all.length;
  while (all[length - 1] === "0") length--;
  return { digits: all.slice(0, length), exponent: Number(exponent) - fraction.length + all.length - length };
}
