import * as z from "zod";
import { exampleOf, Id } from "../resources/fields.ts";
import { changingTypes, resources } from "../resources/index.ts";
import { defaultPerPage, namesOutOf, PageQuery, pageOf } from "../resources/page.ts";
import type { Data, ExtraFields } from "../resources/record.ts";
import type { Resource, ResourceType } from "../resources/resource.ts";
import { InstantParameter, ServiceTime } from "../values/instant.ts";

type ChangeOf<Type extends ResourceType> = {
  type: Type;
  id: number;
  change: z.output<typeof ChangeKind>;
  changed_at: string;
  key: string;
  data: Data<Type> | null;
} & { [Name in keyof ExtraFields<Type>]: ExtraFields<Type>[Name] | null };

/** Has an id, because generators would otherwise name it `Change` after the property, like the schema of all changes. */
export const ChangeKind = z
  .enum(["upserted", "deleted"])
  .meta({ id: "ChangeKind", description: "What happened. `upserted`: created, changed or restored." });

export const ChangeKey = z.string().meta({
  description: "Identifies this change: type, id and `changed_at`. For tools that drop repetitions by one field.",
});

/** The value of a {@link ChangeKey}. */
export function keyOf({ type, id, changed_at }: { type: ResourceType; id: number; changed_at: string }): string {
  return `${type}-${id}-${changed_at}`;
}

const exampleTime = "2026-11-21T09:12:45.120Z";

function changeSchema({ type, schema, extraFields = {} }: Resource) {
  const nullable = Object.entries(extraFields).map(([name, field]) => {
    const { description } = z.globalRegistry.get(field) ?? {};
    return [
      name,
      z.nullable(field).meta({ description: `${description}; null if the resource was deleted.` }),
    ] as const;
  });
  return z
    .object({
      type: z.literal(type).meta({ description: "The kind of resource." }),
      id: Id.meta({ description: "The resource's id." }),
      ...Object.fromEntries(nullable),
      change: ChangeKind,
      changed_at: ServiceTime.meta({ description: "When this service accepted the change." }),
      key: ChangeKey,
      data: schema.nullable().meta({ description: "The resource as it is now; null if it was deleted." }),
    })
    .meta({
      id: `${schema.meta()?.id}Change`,
      description: "The latest change of a resource.",
      get examples() {
        const data = exampleOf(schema);
        const parents = Object.fromEntries(Object.keys(extraFields).map((name) => [name, exampleId]));
        const place = { type, id: z.int().parse(data.id), changed_at: exampleTime };
        return [{ ...place, ...parents, change: "upserted", key: keyOf(place), data }];
      },
    });
}

const exampleId = 15082;

const changes = Object.values<Resource>(resources).map(changeSchema) as [ReturnType<typeof changeSchema>];

export type Change = { [Type in ResourceType]: ChangeOf<Type> }[ResourceType];
// TypeScript cannot follow the map from resources to schemas.
export const Change = z.discriminatedUnion("type", changes).meta({
  id: "Change",
  description: "The latest change of a resource, by `type`.",
  // OpenAPI's own keyword, with which generated clients choose the schema.
  discriminator: {
    propertyName: "type",
    // A getter, because only the document needs it, and making the examples would take a third of the function's load time.
    get mapping() {
      return Object.fromEntries(
        changes.map((change) => [change.shape.type.value, `#/components/schemas/${change.meta()?.id}`]),
      );
    },
  },
}) as unknown as z.ZodType<Change>;

export const ChangesQuery = PageQuery.extend({
  types: namesOutOf(changingTypes, "types")
    .default(changingTypes)
    .meta({
      description: `The types to list, comma-separated: ${changingTypes.join(", ")}. All by default. With a cursor, send the types of its page.`,
      examples: [["order", "ticket"]],
      minItems: 1,
      uniqueItems: true,
    }),
  changed_since: InstantParameter.optional().meta({
    description:
      "Only the changes that this service accepted at this time or later, at most 30 days ago. Not needed with `cursor`, where a start later than the first page's gets 400.",
    // A fixed time is too old after 30 days.
    examples: [],
  }),
});
export type ChangesQuery = z.output<typeof ChangesQuery>;

const page = pageOf(Change);

export const ChangesPage = z
  .object({
    data: page.shape.data,
    pagination: page.shape.pagination
      .extend({
        resume_cursor: z.string().meta({
          description:
            "The `cursor` to continue after this page, even after the last one. Store it with the rows. It is valid for 30 days.",
        }),
      })
      .meta({ id: "ChangesPagination", description: "Position of this page among the changes." }),
  })
  .meta({
    id: "ChangesPage",
    description: "One page of changes.",
    get examples() {
      const [order, ticket] = changes
        .filter(({ shape }) => ["order", "ticket"].includes(shape.type.value))
        .map((schema) => exampleOf(schema));
      const resume_cursor = "AK1c3cNbXW2SMjAyNi0xMS0yMVQwOTowMDowMC4wMDBa";
      const pagination = { per_page: defaultPerPage, has_more: false, next_cursor: null, resume_cursor };
      return [{ data: [order, { ...ticket, change: "deleted", data: null }], pagination }];
    },
  });
export type ChangesPage = z.infer<typeof ChangesPage>;
