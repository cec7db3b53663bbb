import * as z from "zod";
import { limits } from "../part/limit.ts";

export const PathKind = z.enum(["directory", "file"]);
export type PathKind = z.infer<typeof PathKind>;

/** The query of `GET /paths`. directory: completes an absolute path; file: finds files by a part of their path. */
export const PathQuery = z.object({
  kind: PathKind.default("directory").describe("What to find."),
  prefix: z.string().max(4096).default("").describe("What a person has typed so far."),
  cwd: z.string().min(1).max(4096).optional().describe("Where to look for files."),
  session_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("Look for files in this session's directory instead."),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pathPageMax)
    .default(limits.pathPageDefault)
    .describe("How many to return."),
});
export type PathQuery = z.infer<typeof PathQuery>;

/** Directories are absolute; files are relative to the directory they were looked for in. */
export const PathList = z.object({
  paths: z
    .array(
      z.object({
        path: z
          .string()
          .describe("Absolute for directories; for files relative to where they were looked for."),
        kind: PathKind.describe("What it is."),
      }),
    )
    .describe("What was found, best first."),
});
export type PathList = z.infer<typeof PathList>;
