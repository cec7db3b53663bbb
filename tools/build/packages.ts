import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** `tsc -b` trusts its notes even where the output is gone: such notes are removed. */
export function forgetMissingOutput(root: string): void {
  const packages = join(root, "packages");
  for (const name of readdirSync(packages)) {
    const place = join(packages, name);
    if (!existsSync(join(place, "dist"))) {
      rmSync(join(place, "tsconfig.tsbuildinfo"), { force: true });
    }
  }
}
