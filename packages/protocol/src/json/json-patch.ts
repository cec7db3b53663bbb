import * as z from "zod";
import { JsonValue } from "./json.ts";

/** A place in a JSON document (RFC 6901). */
export const JsonPointer = z
  .string()
  .regex(/^(\/([^~]|~[01])*)?$/, "a JSON pointer: empty, or segments that each start with /");
const path = JsonPointer.describe("Where, as a JSON Pointer.");
const from = JsonPointer.describe("From where, as a JSON Pointer.");
const value = JsonValue.describe("The value.");

/** One RFC 6902 operation. */
export const JsonPatchOperation = z
  .discriminatedUnion("op", [
    z.object({ op: z.literal("add"), path, value }),
    z.object({ op: z.literal("replace"), path, value }),
    z.object({ op: z.literal("test"), path, value }),
    z.object({ op: z.literal("remove"), path }),
    z.object({ op: z.literal("move"), path, from }),
    z.object({ op: z.literal("copy"), path, from }),
  ])
  .meta({ id: "JsonPatchOperation" });
export type JsonPatchOperation = z.infer<typeof JsonPatchOperation>;
