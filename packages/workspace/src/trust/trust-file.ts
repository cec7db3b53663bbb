import { rename } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { jsonFrom, readWhole, writeWhole } from "@turnwire/log/list";
import { TrustRecord, type TrustStore } from "./trust-store.ts";

const TrustFile = z.object({ directories: z.array(TrustRecord) });

/** Trust in `<directory>/trust.json`. A file that makes no sense is put aside and reported; nothing is trusted then. */
export function createTrustFile(
  directory: string,
  onDamaged: (error: Error) => void = (error) => console.error(error),
): TrustStore {
  const path = join(directory, "trust.json");
  return {
    async load() {
      const text = await readWhole(path);
      if (text === undefined) return [];
      const parsed = TrustFile.safeParse(jsonFrom(text));
      if (parsed.success) return parsed.data.directories;
      const kept = `${path}.damaged-${Date.now()}`;
      await rename(path, kept);
      const message = `The list of trusted directories ${path} was damaged. It was kept as ${kept}; trust the directories again.`;
      onDamaged(new Error(message, { cause: parsed.error }));
      return [];
    },
    save: (directories) => writeWhole(path, `${JSON.stringify({ directories }, null, 2)}\n`),
  };
}
