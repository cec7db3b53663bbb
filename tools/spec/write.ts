import { mkdir, writeFile } from "node:fs/promises";
import { fillPages, loadPages } from "./page.ts";
import { loadRoutes } from "./route-table.ts";
import { schemaFiles } from "./schema-file.ts";
import { sectionsFrom } from "./section.ts";

// Writes the generated parts of PROTOCOL.md and docs/protocol, and docs/schema/*.json: `npm run spec`.

const root = new URL("../../", import.meta.url);
const sections = sectionsFrom(await loadRoutes());
for (const { path, text } of fillPages(await loadPages(), sections)) {
  await writeFile(new URL(path, root), text);
}

const folder = new URL("docs/schema/", root);
await mkdir(folder, { recursive: true });
for (const [name, text] of schemaFiles()) await writeFile(new URL(name, folder), text);
