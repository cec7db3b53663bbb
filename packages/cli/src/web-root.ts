import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Where the built web app lies; undefined in a repository where it is not built. */
export function findWebRoot(): string | undefined {
  const manifest = createRequire(import.meta.url).resolve("@turnwire/web/package.json");
  const root = join(dirname(manifest), "dist");
  return existsSync(join(root, "index.html")) ? root : undefined;
}
