import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "./records.ts";

/** A value that no reason may repeat: values can be personal data. */
export const secretValue = "Ada Byron, ada@example.org";

const text = JSON.stringify;

/** A record with another value at a path; `undefined` removes the field. */
function broken(record: object, path: string, value: unknown): string {
  const copy = structuredClone(record) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() ?? "";
  const parent = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  parent[last] = value;
  return text(copy);
}

const deletion = { type: "event", organisation_id: 1, id: 1, deleted: true, version: 1 };

/** Fifty kinds of records that cannot be stored, each with the expected reason. */
export const poisonKinds: readonly { make: (id: number) => string; reason: RegExp }[] = [
  // Lines that are not records.
  { make: () => "", reason: /^Not JSON/ },
  { make: () => "{", reason: /^Not JSON at character/ },
  { make: () => `'${secretValue}'`, reason: /^Not JSON/ },
  { make: () => "<event/>", reason: /^Not JSON/ },
  { make: () => '{"type":"event",}', reason: /^Not JSON at character/ },
  { make: () => "NaN", reason: /^Not JSON/ },
  { make: () => "null", reason: /expected object, received null/ },
  { make: () => "true", reason: /expected object, received boolean/ },
  { make: () => "17", reason: /expected object, received number/ },
  { make: () => text(secretValue), reason: /expected object, received string/ },
  { make: () => "{}", reason: /^type: / },
  { make: (id) => text([[eventRecord(1, id)]]), reason: /expected object, received array/ },
  // The envelope of the data.
  { make: (id) => broken(eventRecord(1, id), "type", "concert"), reason: /^type: / },
  { make: (id) => broken(eventRecord(1, id), "type", undefined), reason: /^type: / },
  { make: (id) => broken(eventRecord(1, id), "type", ["event"]), reason: /^type: / },
  { make: (id) => broken(dateRecord(1, 1, id), "organisation_id", undefined), reason: /^organisation_id: / },
  { make: (id) => broken(dateRecord(1, 1, id), "organisation_id", "1"), reason: /^organisation_id: / },
  { make: (id) => broken(dateRecord(1, 1, id), "organisation_id", 0), reason: /^organisation_id: / },
  { make: (id) => broken(dateRecord(1, 1, id), "organisation_id", -5), reason: /^organisation_id: / },
  { make: (id) => broken(dateRecord(1, 1, id), "organisation_id", 1.5), reason: /^organisation_id: / },
  { make: (id) => broken(eventRecord(1, id), "organisation_id", 2), reason: /^data\.organisation_id: / },
  { make: (id) => broken(eventRecord(1, id), "version", "2"), reason: /^version: / },
  { make: (id) => broken(eventRecord(1, id), "version", -1), reason: /^version: / },
  { make: (id) => broken(eventRecord(1, id), "version", 2 ** 60), reason: /^version: / },
  { make: (id) => broken(eventRecord(1, id), "data", undefined), reason: /^data: / },
  { make: (id) => broken(eventRecord(1, id), "data", secretValue), reason: /^data: / },
  { make: (id) => broken(eventRecord(1, id), "data", []), reason: /^data: / },
  { make: (id) => broken(eventRecord(1, id), "PK", "KEYHASH#0"), reason: /^Unknown field PK/ },
  { make: (id) => text(eventRecord(1, id)).replace("{", '{"__proto__":{},'), reason: /^Unknown field/ },
  { make: (id) => broken(categoryRecord(1, 1, id), "event_id", undefined), reason: /^event_id: / },
  // The data.
  { make: (id) => broken(eventRecord(1, id), "data.id", undefined), reason: /^data\.id: / },
  { make: (id) => broken(eventRecord(1, id), "data.id", `${id}#APIKEYS`), reason: /^data\.id: / },
  { make: (id) => broken(eventRecord(1, id), "data.id", 2 ** 53), reason: /^data\.id: / },
  { make: (id) => broken(eventRecord(1, id), "data.name", 7), reason: /^data\.name: / },
  { make: (id) => broken(eventRecord(1, id), "data.nmae", secretValue), reason: /Unknown field nmae/ },
  { make: (id) => broken(eventRecord(1, id, { [secretValue]: 1 } as object), "version", 1), reason: /Unknown field$/ },
  {
    make: (id) => broken(eventRecord(1, id), "data.date_created", secretValue),
    reason: /^data\.date_created: Must be a date, YYYY-MM-DD/,
  },
  {
    make: (id) => broken(eventRecord(1, id), "data.date_created", "2025-02-30T00:00:00Z"),
    reason: /^data\.date_created: /,
  },
  { make: (id) => broken(eventRecord(1, id), "data.unlisted", "no"), reason: /^data\.unlisted: / },
  { make: (id) => broken(eventRecord(1, id), "data.name", "\ud800"), reason: /^data\.name: .*lone surrogates/ },
  {
    make: (id) => broken(eventRecord(1, id), "data.description", "é".repeat(205_000)),
    reason: /^Larger than the 399 KB/,
  },
  { make: (id) => broken(orderRecord(1, id), "data.status", secretValue), reason: /^data\.status: / },
  { make: (id) => broken(orderRecord(1, id), "data.total", 12.5), reason: /^data\.total: / },
  { make: (id) => broken(ticketRecord(1, id), "data.price", "12"), reason: /^data\.price: / },
  { make: (id) => broken(paymentRecord(1, id), "data.amount", -1), reason: /^data\.amount: / },
  { make: (id) => broken(discountRecord(1, id), "data.event_id", null), reason: /^data\.event_id: / },
  { make: (id) => broken(attendeeRecord(1, id), "data.date_id", undefined), reason: /^data\.date_id: / },
  // Deletions.
  { make: (id) => text({ ...deletion, id, version: undefined }), reason: /^version: / },
  { make: (id) => text({ ...deletion, id, type: "api_key" }), reason: /^type: / },
  { make: (id) => text({ ...deletion, id, deleted: "yes" }), reason: /^deleted: / },
];
