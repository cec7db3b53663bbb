import { accepted, rejected, type Result } from "@turnwire/protocol";
import * as z from "zod";
import { type Dialect, native, streamJson } from "@turnwire/wire";

/** The dialects that the native routes speak; the others have routes of their own. */
const dialects: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  [native.name, native],
  [streamJson.name, streamJson],
]);

const names = [...dialects.keys()].join(" or ");

export const DialectQuery = z.object({
  dialect: z.string().optional().describe(`The wire language: ${names}, by default native`),
});

export function dialectFrom(query: URLSearchParams): Result<Dialect> {
  const dialect = dialects.get(query.get("dialect") ?? native.name);
  return dialect ? accepted(dialect) : rejected("invalid_request", `dialect must be ${names}.`);
}
