import * as z from "zod";

export const PathKind = z.enum(["directory", "file"]);
export type PathKind = z.infer<typeof PathKind>;

/** What `GET /paths` is asked. directory: completes an absolute path; file: finds files by a part of their path. */
export const PathQuery = z.object({
  kind: PathKind.default("directory"),
  /** What a person has typed so far. */
  prefix: z.string().max(4096).default(""),
  /** Where files are looked for; a session's own directory where `session_id` is given instead. */
  cwd: z.string().min(1).max(4096).optional(),
  session_id: z.string().min(1).max(128).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type PathQuery = z.infer<typeof PathQuery>;

/** Directories are absolute; files are relative to the directory they were looked for in. */
export const PathList = z.object({
  paths: z.array(z.object({ path: z.string(), kind: PathKind })),
});
export type PathList = z.infer<typeof PathList>;
