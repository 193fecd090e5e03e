import * as z from "zod";

const Unit = z.enum(["Count", "Milliseconds", "None"]);

/** The part of CloudWatch's specification of embedded metrics that this service uses. */
const EmbeddedLine = z.looseObject({
  _aws: z.strictObject({
    Timestamp: z.int().positive(),
    CloudWatchMetrics: z.tuple([
      z.strictObject({
        Namespace: z.string().min(1).max(1024),
        Dimensions: z.tuple([z.array(z.string()).max(30)]),
        Metrics: z
          .array(z.strictObject({ Name: z.string().min(1).max(1024), Unit }))
          .min(1)
          .max(100),
      }),
    ]),
  }),
});

const Value = z.number().nonnegative();

/**
 * The metrics that CloudWatch takes from a line of a log.
 * @throws ZodError if the line is invalid, or lacks a dimension or value that it declares.
 */
export function embeddedMetricsOf(line: unknown) {
  const parsed = EmbeddedLine.parse(line);
  const [{ Namespace, Dimensions, Metrics }] = parsed._aws.CloudWatchMetrics;
  const dimensions = Object.fromEntries(
    Dimensions[0].map((name) => [name, z.string().min(1).max(1024).parse(parsed[name])]),
  );
  const values = Object.fromEntries(Metrics.map(({ Name }) => [Name, Value.parse(parsed[Name])]));
  return { namespace: Namespace, dimensions, values };
}
