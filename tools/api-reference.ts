import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

// Writes docs/api/<package>.md from the types that dist has; run after the build.

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const packages = ["protocol", "client", "markdown", "react", "svelte", "server"];

async function writeReference(name: string): Promise<void> {
  const out = join(root, "docs", "api", name);
  const options: TypeDocOptions & Partial<PluginOptions> = {
    name: `@turnwire/${name}`,
    entryPoints: [join(root, "packages", name, "dist", "index.d.ts")],
    tsconfig: join(root, "tools", "tsconfig.api.json"),
    plugin: ["typedoc-plugin-markdown"],
    out,
    readme: "none",
    skipErrorChecking: true,
    excludePrivate: true,
    disableSources: true,
    disableGit: true,
    githubPages: false,
    logLevel: "Error",
    router: "module",
    useHTMLAnchors: false,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
    expandObjects: false,
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    typeAliasPropertiesFormat: "table",
    propertyMembersFormat: "table",
  };
  const application = await Application.bootstrapWithPlugins(options);
  const project = await application.convert();
  if (!project) throw new Error(`typedoc could not read @turnwire/${name}`);
  await application.generateOutputs(project);
  const [page, ...others] = (await readdir(out, { recursive: true })).filter((file) =>
    file.endsWith(".md"),
  );
  if (page === undefined || others.length > 0) {
    throw new Error(`expected one page for @turnwire/${name}, got ${[page, ...others].join(", ")}`);
  }
  await rename(join(out, page), `${out}.md`);
  await rm(out, { recursive: true });
}

for (const name of packages) await writeReference(name);
const links = packages.map((name) => `- [@turnwire/${name}](${name}.md)`).join("\n");
await writeFile(
  join(root, "docs", "api", "README.md"),
  `# API reference\n\nMade from the types by \`npm run api\`.\n\n${links}\n`,
);
