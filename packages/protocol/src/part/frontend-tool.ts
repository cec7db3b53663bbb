import * as z from "zod";
import { JsonObject } from "../json/json.ts";

/** The JSON Schema of a tool's input: agents take nothing but objects. */
const InputSchema = JsonObject.refine(({ type }) => type === "object", "a JSON Schema of an object")
  .refine(
    ({ properties = {} }) => JsonObject.safeParse(properties).success,
    "properties must be an object",
  )
  .refine(
    ({ required = [] }) => z.array(z.string()).safeParse(required).success,
    "required must be a list of names",
  );

/** A tool that a session declares and its UI performs. */
export const FrontendToolDeclaration = z.object({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z][a-z0-9_]*$/, "small letters, digits and _, a letter first"),
  description: z.string(),
  input_schema: InputSchema,
  /** How long a call may stay without a page that performs it; 60 seconds by default. */
  timeout_seconds: z
    .int()
    .min(1)
    .max(24 * 60 * 60)
    .optional(),
});
export type FrontendToolDeclaration = z.infer<typeof FrontendToolDeclaration>;

/** `params.frontend_tools` of a session: up to 100 tools, each name once, and none that the agent already has. */
export function frontendToolsSchema(
  reserved: Iterable<string>,
): z.ZodType<FrontendToolDeclaration[]> {
  const reservedNames = new Set(reserved);
  return z
    .array(FrontendToolDeclaration)
    .max(100)
    .superRefine((tools, context) => {
      const taken = new Set(reservedNames);
      for (const { name } of tools) {
        if (taken.has(name)) context.addIssue(`There is already a tool ${name}`);
        taken.add(name);
      }
    });
}
