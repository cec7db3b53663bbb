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

export const JsonValue: z.ZodType<JsonValue> = z
  .union([
    z.null(),
    z.boolean(),
    z.number(),
    z.string(),
    z.array(z.lazy(() => JsonValue)),
    z.record(
      z.string(),
      z.lazy(() => JsonValue),
    ),
  ])
  .register(z.globalRegistry, { id: "JsonValue" });
export const JsonObject: z.ZodType<JsonObject> = z
  .record(z.string(), JsonValue)
  .meta({ id: "JsonObject" });
