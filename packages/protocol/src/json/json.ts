import * as z from "zod";

/** Any value JSON can carry. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

/** A JSON object: tool inputs, component props, runtime parameters. */
export type JsonObject = { [key: string]: JsonValue };

const anyJsonValue: z.ZodType<JsonValue> = z
  .union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.array(z.lazy(() => anyJsonValue)),
    z.record(
      z.string(),
      z.lazy(() => anyJsonValue),
    ),
  ])
  .register(z.globalRegistry, { id: "JsonValue" });
/** Lazy, so that `describe` copies a reference: in a copy of the union, the list would get a name such as `__schema0`. */
export const JsonValue: z.ZodType<JsonValue> = z.lazy(() => anyJsonValue);
export const JsonObject: z.ZodType<JsonObject> = z
  .record(z.string(), JsonValue)
  .meta({ id: "JsonObject" });
