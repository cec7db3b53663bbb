import type { JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import { unifiedDiff } from "../../unified-diff.ts";

/** What the CLI's tools that change a file report of the change (2.1.325, fixture `edits`). */
const Patched = z.object({
  filePath: z.string(),
  structuredPatch: z
    .array(
      z.object({
        oldStart: z.number(),
        oldLines: z.number(),
        newStart: z.number(),
        newLines: z.number(),
        lines: z.array(z.string()),
      }),
    )
    .min(1),
});

/** What a tool changed, as a unified diff; a file that it made has none. */
export function diffFrom(details: JsonValue | undefined): string | undefined {
  const patched = Patched.safeParse(details).data;
  return patched && unifiedDiff(patched.filePath, patched.structuredPatch);
}
