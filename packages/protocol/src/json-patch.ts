import * as z from "zod";
import { JsonValue } from "./json.ts";

const pointer = z
  .string()
  .regex(/^(\/([^~]|~[01])*)?$/, "a JSON pointer: empty, or segments that each start with /");

/** One RFC 6902 operation. */
export const JsonPatchOperation = z.discriminatedUnion("op", [
  z.object({ op: z.literal("add"), path: pointer, value: JsonValue }),
  z.object({ op: z.literal("replace"), path: pointer, value: JsonValue }),
  z.object({ op: z.literal("test"), path: pointer, value: JsonValue }),
  z.object({ op: z.literal("remove"), path: pointer }),
  z.object({ op: z.literal("move"), path: pointer, from: pointer }),
  z.object({ op: z.literal("copy"), path: pointer, from: pointer }),
]);
export type JsonPatchOperation = z.infer<typeof JsonPatchOperation>;
