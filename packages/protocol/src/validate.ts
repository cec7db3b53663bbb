import type * as z from "zod";
import type { JsonValue } from "./json.ts";
import { limits } from "./limit.ts";
import { accepted, rejected, type Result } from "./result.ts";
import type { WireErrorCode } from "./wire-error.ts";

/** Parses foreign input; a rejection lists what is wrong and where, in `details.issues`. */
export function validate<Value>(
  schema: z.ZodType<Value>,
  input: unknown,
  code: WireErrorCode = "invalid_request",
): Result<Value> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return accepted(parsed.data);
  const issues = parsed.error.issues.slice(0, limits.validationIssues).map(shownIssue);
  const [first] = issues;
  const place = first?.path ? `${first.path}: ` : "";
  return rejected(code, `${place}${first?.message ?? "not valid"}`, {
    issues: issues satisfies JsonValue,
  });
}

/** An unknown key is named by its place, like a wrong value. */
function shownIssue(issue: z.core.$ZodIssue): { path: string; message: string } {
  const place = issue.path.map(String);
  if (issue.code !== "unrecognized_keys") return { path: place.join("."), message: issue.message };
  const [key = "", ...others] = issue.keys;
  const message = ["unknown field", ...others.map((other) => `also unknown: ${other}`)].join("; ");
  return { path: [...place, key].join("."), message };
}
