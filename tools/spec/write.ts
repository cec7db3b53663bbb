import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fillPage } from "./page.ts";
import { loadRoutes } from "./route-table.ts";
import { schemaFiles } from "./schema-file.ts";
import { sectionsFrom } from "./section.ts";

// Writes the generated parts of PROTOCOL.md and docs/schema/*.json: `npm run spec`.

const root = new URL("../../", import.meta.url);
const page = new URL("PROTOCOL.md", root);
const sections = sectionsFrom(await loadRoutes());
await writeFile(page, fillPage(await readFile(page, "utf8"), sections));

const folder = new URL("docs/schema/", root);
await mkdir(folder, { recursive: true });
for (const [name, text] of schemaFiles()) await writeFile(new URL(name, folder), text);
