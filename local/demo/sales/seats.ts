/** The categories whose places are numbered, and what their seats begin with. */
const areas: Record<string, string> = {
  Stalls: "",
  Circle: "Circle ",
  Balcony: "Balcony ",
  "House seats": "House ",
  "Balcony, seated": "",
  Grandstand: "",
};
const boxes = ["Box for four", "Box of ten"];
const rowLength = 20;

/** The next place of a category on a date; null where places are not numbered. */
export type SeatOf = (dateId: number, category: { id: number; name: string | null }) => string | null;

/** Gives out the numbered places of each date from the front, none twice. */
export function seatPlan(): SeatOf {
  const taken = new Map<string, number>();
  return (dateId, { id, name }) => {
    const key = `${dateId} ${id}`;
    const index = taken.get(key) ?? 0;
    taken.set(key, index + 1);
    if (name === null) return null;
    if (boxes.includes(name)) return `Box ${index + 1}`;
    const area = areas[name];
    if (area === undefined) return null;
    return `${area}${String.fromCharCode("A".charCodeAt(0) + Math.floor(index / rowLength))} ${(index % rowLength) + 1}`;
  };
}
