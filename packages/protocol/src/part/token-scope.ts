import * as z from "zod";

/** The rights of a scoped token. */
export const TokenScope = z
  .enum(["read", "operate", "admin"])
  .describe(
    "`read`: to look and to follow; `operate`: sessions and commands too, but nothing that is for admins; `admin`: everything.",
  );
export type TokenScope = z.infer<typeof TokenScope>;
