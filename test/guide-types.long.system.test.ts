import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Files of examples that the pages name, where the pages do not have them whole. */
const examples = [["echo-runtime", "echo-runtime.ts"]] as const;
/** What a page shows of a file in parts, to explain it. */
const excerpts = /^(type EchoMessage|step\(|async |class |…)/;

interface Snippet {
  readonly page: string;
  readonly name: string | undefined;
  readonly text: string;
}

/** The TypeScript of a page, with the name that stands before it where it is a file. */
async function snippetsOf(page: string): Promise<Snippet[]> {
  const text = await readFile(join(root, page), "utf8");
  const fences = text.matchAll(/^(?:`([\w.-]+)`.*:\n\n)?```ts\n([^]*?)^```/gm);
  return Array.from(fences, ([, name, code = ""]) => ({ page, name, text: code }));
}

test("every snippet of the guides has its imports, and its types are in order", async () => {
  const guides = (await readdir(join(root, "docs/guides"))).map((name) => `docs/guides/${name}`);
  const readmes = ["log", "server", "wire"].map((name) => `packages/${name}/README.md`);
  const snippets = (await Promise.all([...guides, ...readmes].map(snippetsOf))).flat();
  const whole = snippets.filter(({ text }) => !excerpts.test(text));
  expect(whole.length).toBeGreaterThan(10);

  const cache = join(root, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, "guide-types-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [example, file] of examples) {
    const source = join(root, "examples", example, file);
    await writeFile(join(directory, file), await readFile(source, "utf8"));
  }
  const names = whole.map(({ page, name }, index) => {
    return name ?? `${page.replaceAll(/\W+/g, "-")}-${index}.ts`;
  });
  await Promise.all(
    whole.map(({ text }, index) => writeFile(join(directory, names[index] ?? ""), text)),
  );
  await writeFile(join(directory, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    customConditions: ["@turnwire/source"],
    target: "es2023",
    module: "nodenext",
    types: ["node"],
    allowImportingTsExtensions: true,
    noEmit: true,
  };
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const problems = await promisify(execFile)(process.execPath, [compiler, "--pretty", "false"], {
    cwd: directory,
  }).then(
    () => "",
    (failure: { readonly stdout: string }) => failure.stdout,
  );
  expect(problems).toBe("");
});
