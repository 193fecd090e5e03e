import * as z from "zod";
import { lookUpProblem } from "../values/lookUp.ts";
import { Id } from "./fields.ts";
import { recordResources, type resources } from "./index.ts";
import { exportedForm, type Resource, type ResourceType, recordForm } from "./resource.ts";

export type RecordType = keyof typeof recordResources;

type Resources = typeof resources;
export type Data<Type extends ResourceType> = z.output<Resources[Type]["schema"]>;
export type ExtraFields<Type extends ResourceType> =
  Resources[Type] extends Resource<Type, z.ZodRawShape, infer Shape>
    ? { [Name in keyof Shape]: z.output<Shape[Name]> }
    : never;

const envelope = {
  organisation_id: Id,
  /** The higher of two versions of a record wins. */
  version: z.int().nonnegative().optional(),
};

/** Ends the note that the API has set on an order. */
const noteEnd = { ends_note: z.literal(true).optional() };

type RecordOf<Type extends RecordType> = {
  type: Type;
  organisation_id: number;
  version?: number | undefined;
  /** Only of orders. */
  ends_note?: true | undefined;
  data: Data<Type>;
} & ExtraFields<Type>;

/** One line of input data: exactly the fields of a resource. It is upserted by type and id. */
export type Record = { [Type in RecordType]: RecordOf<Type> }[RecordType];

export const recordTypes = Object.keys(recordResources) as RecordType[];

function recordSchema({ type, schema, extraFields, lists }: Resource) {
  const data: z.ZodObject = recordForm(schema);
  const lookedUp = Object.values(lists).flatMap((list) => ("lookUp" in list ? [list.lookUp] : []));
  return z
    .strictObject({ type: z.literal(type), ...envelope, ...(type === "order" && noteEnd), ...extraFields, data })
    .refine((record) => !("organisation_id" in data.shape) || record.data.organisation_id === record.organisation_id, {
      path: ["data", "organisation_id"],
      error: "Must equal the record's organisation_id.",
    })
    .check(({ value, issues }) => {
      for (const field of lookedUp) {
        const message = lookUpProblem(String(value.data[field] ?? ""));
        if (message !== undefined) issues.push({ code: "custom", path: ["data", field], message, input: value });
      }
    });
}

// TypeScript cannot follow the map from resources to schemas.
export const Record = z.discriminatedUnion(
  "type",
  Object.values<Resource>(recordResources).map(recordSchema) as [ReturnType<typeof recordSchema>],
) as unknown as z.ZodType<Record>;

/** A record as it was exported: of its fields only the types are checked, because an earlier version may have stored it. */
export const ExportedRecord = z.discriminatedUnion(
  "type",
  Object.values<Resource>(recordResources).map(({ type, schema, extraFields }) =>
    z.strictObject({ type: z.literal(type), ...envelope, ...extraFields, data: exportedForm(schema) }),
  ) as [ReturnType<typeof recordSchema>],
) as unknown as z.ZodType<Record>;

/** Deletes the record with this type and id. Records with a lower version cannot restore it. */
export const Deletion = z.strictObject({
  type: z.enum(recordTypes),
  organisation_id: Id,
  id: Id,
  deleted: z.literal(true),
  version: z.int().nonnegative(),
});
export type Deletion = z.infer<typeof Deletion>;
