import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Manifest, root, type Tarball } from "./published-package.ts";

const run = promisify(execFile);

/** How strict a project can be: the declarations of its dependencies are checked like its own code. */
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  module: "NodeNext",
  jsx: "react-jsx",
  types: ["node"],
};

/** What whoever writes for Node or with React has installed. */
const ownTypes = ["@types/node", "@types/react"];

/**
 * What TypeScript finds wrong with the types of our packages in an empty project that installs them:
 * `directory` gets the packed ones, and of others only what their manifests name.
 */
export async function consumerProblems(
  tarballs: readonly Tarball[],
  directory: string,
): Promise<string[]> {
  const manifests = await Promise.all(tarballs.map((tarball) => unpack(tarball, directory)));
  const foreign = new Set(manifests.flatMap(dependenciesOf));
  for (const { name } of tarballs) foreign.delete(name);
  for (const name of [...ownTypes, ...foreign]) await link(name, directory);
  const imports = manifests.flatMap(entriesOf).map((entry, index) => {
    return `import * as entry${index} from "${entry}";\nvoid entry${index};\n`;
  });
  await writeFile(join(directory, "index.ts"), imports.join(""));
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }));
  const project = join(directory, "tsconfig.json");
  await writeFile(project, JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  return run(process.execPath, [compiler, "-p", project, "--pretty", "false"]).then(
    () => [],
    (failure: { readonly stdout: string }) => failure.stdout.trim().split("\n"),
  );
}

async function unpack({ name, path }: Tarball, directory: string): Promise<Manifest> {
  const target = join(directory, "node_modules", name);
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", path, "-C", target, "--strip-components=1"]);
  return JSON.parse(await readFile(join(target, "package.json"), "utf8"));
}

/** As npm installs them: all that are not optional. */
function dependenciesOf({
  dependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}: Manifest) {
  const peers = Object.keys(peerDependencies).filter(
    (name) => !peerDependenciesMeta[name]?.optional,
  );
  return [...Object.keys(dependencies), ...peers];
}

/** Every entry of a package that has types. */
function entriesOf({ name, exports = {} }: Manifest): string[] {
  return Object.entries(exports)
    .filter(([, conditions]) => typeof conditions === "object" && "types" in conditions)
    .map(([path]) => join(name, path));
}

/** The package as this repository has it installed. */
async function link(name: string, directory: string): Promise<void> {
  const target = join(directory, "node_modules", name);
  await mkdir(dirname(target), { recursive: true });
  await symlink(join(root, "node_modules", name), target);
}
