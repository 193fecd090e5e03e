import type { ProgrammeRow, Venue } from "./programme.ts";

const openings = [
  "Back by popular demand:",
  "Not to be missed:",
  "For one season only:",
  "New this year:",
  "By request:",
];
const praise = [
  "“An hour that I would gladly have twice”, wrote the evening paper.",
  "Last year’s places went within a week.",
  "Our audience’s favourite, three years running.",
  "Bold, warm and over far too soon.",
];
const practical = [
  "Doors open 45 minutes before the start; latecomers are let in between the parts.",
  "The bar is open from six. Every space is step-free, and the loop works in all seats.",
  "Please bring warm clothes: the foyer is not heated.",
  "Captioned and audio-described performances are marked in the calendar.",
];
const firstWords = [
  "Paper",
  "Velvet",
  "Silver",
  "Midnight",
  "Harbour",
  "Copper",
  "Winter",
  "Electric",
  "Quiet",
  "Señor",
];
const lastWords = ["Foxes", "Parade", "Orchestra", "Tapes", "Sisters", "Machine", "Øya", "Garden", "Brothers", "Choir"];
const places = ["Leeds", "Malmö", "Łódź", "Kópavogur", "Genève", "Oulu", "Cork", "Duluth", "İzmir", "Kraków"];

/** What the programme says of an event: some sentences, and for a festival its whole line-up. */
export function description([name, , , plan]: ProgrammeRow, venue: Venue, id: number): string {
  const text = [
    `${pick(openings, id)} ${name}, at ${venue.name}.`,
    pick(praise, Math.floor(id / 3)),
    pick(practical, Math.floor(id / 2)),
  ].join(" ");
  return plan === "festival" ? `${text}\n\n${lineUp(id)}` : text;
}

/** Every band that the words make, each with its time and stage: some 5,000 characters. */
function lineUp(id: number): string {
  return firstWords
    .flatMap((first, row) =>
      lastWords.map((last, column) => ({ first, last, place: pick(places, id + row * 3 + column) })),
    )
    .map(({ first, last, place }, slot) => {
      const time = `${12 + (slot % 10)}:${slot % 2 ? "30" : "00"}`;
      return `${time} ${first} ${last} (${place}), ${slot % 3 ? "Tent" : "Main Stage"}`;
    })
    .join("\n");
}

function pick(list: string[], index: number): string {
  return list[index % list.length] ?? "";
}
