import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

// Writes docs/api/<entry>.md, which is not checked in, from the types that dist has: `npm run api`.

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** A module that can be imported, and where in `packages` its types are. */
const entries: Readonly<Record<string, string>> = {
  base: "base/dist/index.d.ts",
  protocol: "protocol/dist/index.d.ts",
  log: "log/dist/index.d.ts",
  policy: "policy/dist/index.d.ts",
  client: "client/dist/index.d.ts",
  "client/binding": "client/dist/7-binding/index.d.ts",
  markdown: "markdown/dist/index.d.ts",
  react: "react/dist/index.d.ts",
  svelte: "svelte/dist/index.d.ts",
  server: "server/dist/index.d.ts",
  "server/standalone": "server/dist/standalone.d.ts",
  runtime: "runtime/dist/index.d.ts",
  "runtime-claude": "runtime-claude/dist/index.d.ts",
  "runtime-codex": "runtime-codex/dist/index.d.ts",
  wire: "wire/dist/index.d.ts",
  "wire-kit": "wire-kit/dist/index.d.ts",
  "wire-webkit": "wire-webkit/dist/index.d.ts",
};

function pageOf(name: string): string {
  return name.replace("/", "-");
}

async function writeReference(name: string, types: string): Promise<void> {
  const out = join(root, "docs", "api", pageOf(name));
  const options: TypeDocOptions & Partial<PluginOptions> = {
    name: `@turnwire/${name}`,
    entryPoints: [join(root, "packages", types)],
    tsconfig: join(root, "tools", "tsconfig.api.json"),
    plugin: ["typedoc-plugin-markdown"],
    out,
    readme: "none",
    skipErrorChecking: true,
    excludePrivate: true,
    // Members of every Error are known.
    excludeExternals: true,
    disableSources: true,
    disableGit: true,
    githubPages: false,
    logLevel: "Error",
    router: "module",
    useHTMLAnchors: true,
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
  const text = await readFile(join(out, page), "utf8");
  await writeFile(`${out}.md`, withoutSchemaTypes(text));
  await rm(out, { recursive: true });
}

/** What a schema takes is in the type of the same name; its own type only repeats it in zod's words. */
function withoutSchemaTypes(page: string): string {
  return page.replaceAll(/^((?:const |type )?\w+(?::| =) (?:z\.)?Zod\w+)<[^]*?^```$/gm, "$1;\n```");
}

for (const [name, types] of Object.entries(entries)) await writeReference(name, types);
const links = Object.keys(entries)
  .map((name) => `- [@turnwire/${name}](${pageOf(name)}.md)`)
  .join("\n");
await writeFile(
  join(root, "docs", "api", "README.md"),
  `# API reference\n\nGenerated from the types by \`npm run api\`.\n\n${links}\n`,
);
