import type * as z from "zod";
import type { JsonValue } from "../json/json.ts";
import { limits } from "../part/limit.ts";
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
  if (issue.code === "invalid_union") {
    const nearest = nearestIssue(issue.errors);
    if (nearest) return shownIssue({ ...nearest, path: [...issue.path, ...nearest.path] });
    return { path: place.join("."), message: unionMessage(issue) };
  }
  if (issue.code !== "unrecognized_keys") return { path: place.join("."), message: issue.message };
  const [key = "", ...others] = issue.keys;
  const message = ["unknown field", ...others.map((other) => `also unknown: ${other}`)].join("; ");
  return { path: [...place, key].join("."), message };
}

/** The problems inside the value, by the alternative that it comes nearest to; undefined when it fits none at all. */
function nearestIssue(alternatives: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue | undefined {
  const [deepest] = alternatives
    .flatMap((issues) => issues.slice(0, 1))
    .toSorted((one, other) => other.path.length - one.path.length);
  return deepest && deepest.path.length > 0 ? deepest : undefined;
}

function unionMessage({ errors, message }: z.core.$ZodIssueInvalidUnion): string {
  const expected = errors.flatMap(([issue]) =>
    issue?.code === "invalid_type" ? [issue.expected] : [],
  );
  return expected.length > 1 ? `${message}: expected ${expected.join(" or ")}` : message;
}
