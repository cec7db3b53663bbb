import type { JsonObject } from "@turnwire/protocol";
import type * as z from "zod";
import { RuntimeError } from "./process/runtime-error.ts";

/** Params that are fields of the session itself now. */
const fields = new Set(["effort", "max_turns", "disallowed_tools", "allowed_tools", "mcp_servers"]);

/**
 * What of a session's `params` reaches the agent. Throws a RuntimeError where a value can never work.
 * Sessions that were created by an earlier version may have params that are unknown now: they are left out.
 */
export function paramsFrom<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  source: JsonObject | undefined,
): z.infer<z.ZodObject<Shape>> {
  const params = schema.safeParse(source ?? {});
  if (params.success) return params.data;
  const [issue] = params.error.issues;
  const path = ["params", ...(issue?.path ?? [])].join(".");
  throw new RuntimeError("invalid_input", `${path}: ${issue?.message ?? "not valid"}`);
}

/** The same for a new session, in which an unknown key is a mistake. */
export function checkParams(schema: z.ZodObject, source: JsonObject = {}): void {
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(source).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const hint = fields.has(unknown)
      ? `it is a field of the session, beside params`
      : `this runtime knows ${known.length === 0 ? "none" : known.join(", ")}`;
    throw new RuntimeError("invalid_input", `params.${unknown} is unknown: ${hint}.`);
  }
  paramsFrom(schema, source);
}
