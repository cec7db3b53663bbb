import * as z from "zod";

/*
 * Schemas of what is replaced and never written. Only the inferred types are readonly: zod's own
 * `readonly()` would also freeze what it parses, and show in the JSON Schema.
 */

export function readonlyObject<Shape extends z.ZodRawShape>(shape: Shape) {
  return asReadonly(z.object(shape));
}

export function readonlyList<Element extends z.ZodType>(element: Element) {
  return asReadonly(z.array(element));
}

export function readonlyRecord<Value extends z.ZodType>(value: Value) {
  return asReadonly(z.record(z.string(), value));
}

function asReadonly<Schema extends z.ZodType>(schema: Schema): z.ZodReadonly<Schema> {
  return schema as unknown as z.ZodReadonly<Schema>;
}
