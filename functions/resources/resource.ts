import * as z from "zod";

/** The names of each type of resource: `item` and `items` in stored keys, which never change; `name` in errors and descriptions. */
export const resourceTypes = {
  event: { item: "EVENT", items: "EVENTS", name: "event" },
  event_date: { item: "DATE", items: "DATES", name: "date" },
  ticket_category: { item: "CATEGORY", items: "CATEGORIES", name: "ticket category" },
  order: { item: "ORDER", items: "ORDERS", name: "order" },
  ticket: { item: "TICKET", items: "TICKETS", name: "ticket" },
  payment: { item: "PAYMENT", items: "PAYMENTS", name: "payment" },
  discount: { item: "DISCOUNT", items: "DISCOUNTS", name: "discount" },
  attendee: { item: "ATTENDEE", items: "ATTENDEES", name: "attendee" },
  balance_payment: { item: "BALANCEPAYMENT", items: "BALANCEPAYMENTS", name: "balance payment" },
} as const;
export type ResourceType = keyof typeof resourceTypes;

/** The plural of a type's `name`. */
export function pluralOf(type: ResourceType): string {
  return `${resourceTypes[type].name}s`.replace(/ys$/, "ies");
}

/** The indexes for lists. An item can be in one list of each index. GSI3 has the changes. */
export const indexes = ["GSI1", "GSI2", "GSI4", "GSI5"] as const;
export type Index = (typeof indexes)[number];

/** Rows are sorted by this field, if any, then by id. */
interface Sorting<Field extends string> {
  instant?: Field;
  integer?: Field;
  direction: "ascending" | "descending";
}

export const byId = { direction: "ascending" } as const;
export const earliestFirst = <Field extends string>(instant: Field) => ({ instant, direction: "ascending" }) as const;
/** Rows without the instant come last. */
export const latestFirst = <Field extends string>(instant: Field) => ({ instant, direction: "descending" }) as const;
export const lowestFirst = <Field extends string>(integer: Field) => ({ integer, direction: "ascending" }) as const;

interface AnyList<Field extends string> {
  index: Index;
  order: Sorting<Field>;
}

/** The rows whose `field` is the id of one parent. */
export interface ListUnder<Field extends string = string> extends AnyList<Field> {
  under: ResourceType;
  field: Field;
}

export interface ListOfAll<Field extends string = string> extends AnyList<Field> {
  /** The name of its partition, which is stored. */
  all: string;
  /** Readers may limit the instants by which it and the look-ups beside it are sorted. */
  range?: {
    /** Begins the parameters' names, before `from` and `to`: `completed_`. */
    prefix?: string;
    /** The verb of the parameters' descriptions: only dates that `start` before this time. */
    verb: string;
    examples: { from: string; to: string };
  };
}

/** The rows whose field has a text that is not blank. */
export interface LookUp<Field extends string = string> extends AnyList<Field> {
  lookUp: Field;
  /** The description of the query parameter, which has the field's name, and the field's example. */
  description: string;
  /** Maps texts that should find each other to the same text. The result is stored, so the mapping never changes. */
  normalise: (text: string) => string;
}

/** In `expand`, the name of the resource whose id a field has. */
export interface ExpandedOne<Field extends string = string, Target = ResourceType> {
  one: Target;
  field: Field;
}

/** In `expand`, the name of a resource's first {@link maximumChildren} rows in a list under it. */
export interface ExpandedChildren<Target = ResourceType> {
  children: Target;
  list: string;
  /** Declared if the response for a single resource includes them without `expand`, as many as fit into it. The description is this member's. */
  alwaysIncluded?: { description: string };
}

export type Expansion<Field extends string = string, Target = ResourceType> =
  | ExpandedOne<Field, Target>
  | ExpandedChildren<Target>;

/** The expansions of a resource, with the resources that they include. */
export type Expansions = Readonly<Record<string, Expansion<string, Resource>>>;

export const maximumChildren = 100;

export type ListDeclaration<Field extends string = string> = ListUnder<Field> | ListOfAll<Field> | LookUp<Field>;

export interface Resource<
  Type extends ResourceType = ResourceType,
  Shape extends z.ZodRawShape = z.ZodRawShape,
  ExtraFields extends z.ZodRawShape = z.ZodRawShape,
  Lists extends Record<string, ListDeclaration> = Record<string, ListDeclaration>,
  Expand extends Record<string, Expansion> = Record<string, Expansion>,
> {
  type: Type;
  schema: z.ZodObject<Shape>;
  /** The fields that identify a row and its state: what an assistant gets of a row by default. */
  short: readonly string[];
  /** Fields of records and changes that the public form lacks. */
  extraFields?: ExtraFields;
  /** The names become the repository's functions. */
  lists: Lists;
  /** Resources that readers may include, in the documentation's order. The names become members of the response. */
  expand?: Expand;
  /**
   * Makes the public form from an item with {@link storedForm}'s fields and attributes that the API sets, which later records keep. By default,
   * the fields are the public form.
   */
  stored?: z.ZodType<z.output<z.ZodObject<Shape>>>;
}

/** Declares a type of resource. Its records, changes, keys, lists and repository follow from this. */
export function resource<
  Type extends ResourceType,
  Shape extends z.ZodRawShape,
  const Lists extends Record<string, ListDeclaration<Extract<keyof Shape | keyof ExtraFields, string>>>,
  ExtraFields extends z.ZodRawShape = Record<never, never>,
  const Expand extends Record<string, Expansion<Extract<keyof Shape, string>>> = Record<never, never>,
>(
  declaration: Resource<Type, Shape, ExtraFields, Lists, Expand> & { short: readonly Extract<keyof Shape, string>[] },
): Resource<Type, Shape, ExtraFields, Lists, Expand> {
  return declaration;
}

export type ResourceOf = Readonly<Record<ResourceType, Resource>>;

/**
 * The declared expansions; none without the resources. These come from the caller, so that a function that expands nothing loads no schema but its
 * own.
 */
export function expansionsOf({ expand = {} }: Pick<Resource, "expand">, resourceOf?: ResourceOf): Expansions {
  if (!resourceOf) return {};
  const resolved = Object.entries(expand).map(([name, to]) => [
    name,
    "one" in to ? { ...to, one: resourceOf[to.one] } : { ...to, children: resourceOf[to.children] },
  ]);
  return Object.fromEntries(resolved);
}

/** The names of the children that the response for a single resource always includes. */
export function alwaysIncludedIn(expansions: Expansions): string[] {
  return Object.entries(expansions).flatMap(([name, to]) => ("children" in to && to.alwaysIncluded ? [name] : []));
}

export function declarationOf({ type, lists }: Pick<Resource, "type" | "lists">, name: string): ListDeclaration {
  const { [name]: list } = lists;
  if (!list) throw new Error(`${type} has no list ${name}.`);
  return list;
}

const addedFields = z.registry<object>();

/**
 * Marks a nullable field that senders may not know: records may lack it, and a record without it equals one with null. Call it last: `added(z.string().nullable().meta({ description }))`.
 */
export function added<Field extends z.ZodNullable>(field: Field): Field {
  addedFields.add(field, {});
  return field;
}

/** Exactly the fields of a record, also within lists. Added fields are optional. */
export function recordForm<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>): z.ZodObject<Shape> {
  return z.strictObject(
    mapFields(shape, (field) => {
      if (isObjectList(field)) return z.array(recordForm(field.element));
      return addedFields.has(field) && isNullable(field) ? field.default(null) : field;
    }),
  );
}

/** A record's fields without the added ones that are null, so that adding a field changes no stored item. */
export function withoutAddedNulls<Fields extends object>(shape: z.ZodRawShape, fields: Fields): Partial<Fields> {
  const isKept = ([name, value]: [string, unknown]) =>
    value !== null || !addedFields.has(shape[name] as z.core.$ZodType);
  return Object.fromEntries(Object.entries(fields).filter(isKept)) as Partial<Fields>;
}

const storedSchemas = new Map<object, z.ZodType<Record<string, unknown>>>();

/** Makes the public form from a stored item. Kept for the process, because the first use of a schema compiles it. */
export function storedSchema(resource: Pick<Resource, "schema" | "stored">): z.ZodType<Record<string, unknown>> {
  const schema = storedSchemas.get(resource) ?? resource.stored ?? storedForm(resource.schema);
  storedSchemas.set(resource, schema);
  return schema;
}

/**
 * Reads the fields of a stored item: only their types, integers included, because formats were checked when they were stored, perhaps by an
 * earlier version. A nullable field that the item lacks, because an earlier version wrote it, is null.
 */
export function storedForm<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.ZodObject<Shape> {
  return z.object(mapFields(schema.shape, (field) => typeOf(field, storedForm)));
}

/** {@link storedForm}, which refuses other fields, also within lists. */
export function exportedForm<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.ZodObject<Shape> {
  return z.strictObject(mapFields(schema.shape, (field) => typeOf(field, exportedForm)));
}

function typeOf(field: z.core.$ZodType, formOf: (element: z.ZodObject) => z.ZodObject): z.core.$ZodType {
  if (isNullable(field)) return z.nullable(typeOf(field.unwrap(), formOf)).default(null);
  if (isObjectList(field)) return z.array(formOf(field.element));
  if (field instanceof z.ZodArray) return z.array(typeOf(field.element, formOf));
  if (field instanceof z.ZodEnum) return z.string();
  // A fraction of a penny or of an id comes from another tool.
  if (field instanceof z.ZodNumber) return field.isInt ? z.int() : z.number();
  return field._zod.def.type === "string" ? z.string() : field;
}

function isObjectList(field: z.core.$ZodType): field is z.ZodArray<z.ZodObject> {
  return field instanceof z.ZodArray && field.element instanceof z.ZodObject;
}

/** The public types stay the same: a default only makes more inputs valid. */
function mapFields<Shape extends z.ZodRawShape>(
  shape: Shape,
  change: (field: z.core.$ZodType) => z.core.$ZodType,
): Shape {
  return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, change(field)])) as Shape;
}

function isNullable(field: z.core.$ZodType): field is z.ZodNullable {
  return field instanceof z.ZodNullable;
}
