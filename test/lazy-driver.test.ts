import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

const driverEntry = "packages/log/src/store/postgres/index.ts";

/** The foreign packages that a program can load without the entry of Postgres. */
async function loadedWithoutDriver(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    conditions: ["@turnwire/source"],
    plugins: [
      {
        name: "foreign packages are named, not read",
        setup(bundler) {
          bundler.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === "entry-point" || path.startsWith("@turnwire/")
              ? undefined
              : { path, external: true },
          );
        },
      },
    ],
  });
  const reached = new Set([entry]);
  const foreign = new Set<string>();
  for (const file of reached) {
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === "dynamic-import" && path === driverEntry) continue;
      if (external) foreign.add(path);
      else reached.add(path);
    }
  }
  return [...foreign];
}

test.each([
  "packages/log/src/index.ts",
  "packages/server/src/index.ts",
  "packages/cli/src/main.ts",
])("%s runs without the driver of Postgres unless the store is one", async (entry) => {
  const loaded = await loadedWithoutDriver(entry);
  expect(loaded).toContain("libsql");
  expect(loaded).not.toContain("pg");
  expect(await loadedWithoutDriver(driverEntry)).toContain("pg");
});
