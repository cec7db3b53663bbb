import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitDts } from "svelte2tsx";

// Completes what `tsc -b` has put into dist: the components, which only Svelte's own compiler knows.

const root = dirname(fileURLToPath(import.meta.url));
const source = join(root, "src");
const dist = join(root, "dist");
const isComponent = (name: string): boolean => /^[A-Z]\w*\.svelte$/.test(name);

/** Ships components as they are: the application that uses them compiles them. */
async function copyComponents(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const text = await readFile(join(source, name), "utf8");
    await writeFile(join(dist, name), text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
}

/** TypeScript finds `X.svelte.d.ts` under the name `X.svelte.js` with every kind of module resolution. */
async function typeComponents(names: readonly string[]): Promise<void> {
  const types = await mkdtemp(join(root, "dist", "types-"));
  try {
    await emitDts({
      libRoot: source,
      declarationDir: types,
      svelteShimsPath: createRequire(import.meta.url).resolve("svelte2tsx/svelte-shims-v4.d.ts"),
      tsconfig: join(root, "tsconfig.build.json"),
    });
    for (const name of names) await cp(join(types, `${name}.d.ts`), join(dist, `${name}.d.ts`));
  } finally {
    await rm(types, { recursive: true, force: true });
  }
  for (const name of await readdir(dist)) {
    if (!name.endsWith(".d.ts")) continue;
    const text = await readFile(join(dist, name), "utf8");
    const named = text.replaceAll(/(from "\.[^"]*\/[A-Z]\w*\.svelte)"/g, '$1.js"');
    if (named !== text) await writeFile(join(dist, name), named);
  }
}

const components = (await readdir(source)).filter(isComponent);
await copyComponents(components);
await typeComponents(components);
