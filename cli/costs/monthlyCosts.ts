/*
 * The prices and quantities of docs/operators/cost.md, in US dollars, in the order of its tables. A test compares them.
 */

const reads = (millions: number) => 0.125 * millions;
const writes = (millions: number) => 0.625 * millions;
const calls = (millions: number) => 0.2 * millions;
/** Lambda's time for a million calls, or fewer, of a function with 1,769 MB. */
const time = (ms: number, millions = 1) => ms * millions * 1_000 * (1_769 / 1_024) * 0.0000133334;
const sqs = (millions: number) => 0.4 * millions;
const macs = (millions: number) => 3 * millions;
const logs = (gigabytes: number) => (0.5 + 0.15 * 0.03) * gigabytes;
const metrics = (number: number) => 0.3 * number;

const sweeps = 0.0438;

/** The lines of each section, by the name of its total, in one or two columns. */
export const sections = {
  "a million requests": [
    [3.5, 0.6, calls(2), time(30), reads(4.17), writes(0.46), 0.05 * 1.4, 1.1, 4 * 0.085, logs(1.7), 0.05 * 5],
  ],
  "a million records": [[sqs(0.3), time(8), reads(3.4), writes(7.8), logs(0.1)]],
  "a million batches": [[calls(1), time(10), writes(4.1), logs(0.6)]],
  "the webhooks": [[reads(1.7), writes(0.91), 0.28 * 0.45, sqs(0.13), time(50, sweeps) + calls(sweeps), logs(0.03)]],
  "a million messages": [
    [macs(1), time(150), calls(1), sqs(3), reads(13), writes(5), logs(0.78)],
    [macs(1), time(10), calls(0.01), sqs(0.3), reads(12.15), writes(5), logs(0.0078)],
  ],
  "a million time-outs": [
    [macs(1), time(10_000), calls(1), sqs(3), reads(6.5), writes(6), logs(0.78)],
    [macs(1), time(100), calls(0.01), sqs(0.4), reads(6.6), writes(6), logs(0.0078)],
  ],
  "a stage": [
    [
      5 + 7,
      67 * 0.1 + 3 + metrics(2),
      8_760 * 0.0012,
      8_760 * 5 * (960 / 1_024) * 0.0000166667,
      metrics(6),
      2 * 0.4,
      2,
      sqs(1.97),
      reads(0.3504) + time(50, sweeps) + calls(sweeps) + macs(sweeps) + logs(0.029),
      5 * 0.023,
      0,
    ],
  ],
};

/** Rounded to a cent, half a cent upwards, so that a total is the sum of its printed lines. */
export const cents = (dollars: number) => Math.round(dollars * 100 + 1e-6) / 100;

export function totalOf(section: keyof typeof sections, column = 0): number {
  return cents((sections[section][column] ?? []).reduce((total, line) => total + cents(line), 0));
}

/** How a stage is used. A number is of each organisation, unless its comment says otherwise. */
export interface Use {
  organisations: number;
  /** Of all organisations, a second. */
  requests: number;
  /** In use. */
  keys: number;
  items: number;
  /** For each request. */
  records: number;
  webhooks: number;
  /** A month, like time-outs. */
  messages: number;
  "time-outs": number;
  /** Whether messages share batches of a hundred. */
  together: boolean;
}

/** The lines of a month: name, price and quantity. */
export function monthOf({ organisations, requests, ...use }: Use): (readonly [string, number, number])[] {
  const millions = (aSecond: number) => aSecond * 2.628;
  const ofAll = (each: number) => (organisations * each) / 1e6;
  const column = use.together ? 1 : 0;
  return [
    ["million requests", totalOf("a million requests"), millions(requests)],
    ["million requests above 333", 2.8 - 3.5, Math.max(0, millions(requests) - 333)],
    ["million records of the feed", totalOf("a million records"), millions(requests * use.records)],
    ["million batches of usage", totalOf("a million batches"), millions(Math.min(requests, Math.sqrt(requests)))],
    ["million items", cents(3.8 * (0.25 + 0.2)), ofAll(use.items)],
    ["hundred API keys in use", cents(writes(4.38)), ofAll(use.keys) * 1e4],
    ["own metrics", metrics(1), Math.round(81 + 21 * Math.log10(Math.max(1, requests)))],
    ["shards of the stream", cents(0.2 * millions(4)), Math.max(4, Math.ceil(ofAll(use.items) / 10))],
    ["fixed", totalOf("a stage"), 1],
    ["million webhooks", cents(totalOf("the webhooks") / 0.2), ofAll(use.webhooks)],
    ["million messages", totalOf("a million messages", column), ofAll(use.messages)],
    ["million time-outs", totalOf("a million time-outs", column), ofAll(use["time-outs"])],
  ];
}
