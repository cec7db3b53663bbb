import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

// Judges each package as npm would publish it. Needs dist; asks no registry.

const run = promisify(execFile);
const packages = join(dirname(fileURLToPath(import.meta.url)), "..", "packages");

/** We publish ES modules only: how CommonJS and Node 10 would see them does not matter. */
const foreignResolutions = new Set(["node10", "node16-cjs"]);

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

async function pack(folder: string, destination: string): Promise<Uint8Array<ArrayBuffer>> {
  const parameters = ["pack", "--json", "--offline", "--pack-destination", destination];
  const { stdout } = await run("npm", parameters, { cwd: folder });
  const [packed]: { filename: string }[] = JSON.parse(stdout);
  if (!packed) throw new Error(`npm packed nothing in ${folder}`);
  return new Uint8Array(await readFile(join(destination, packed.filename)));
}

async function publishingProblems(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: tarball.buffer },
    strict: true,
  });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeProblems(tarball: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(tarball), {
    excludeEntrypoints: [/\.css$/],
  });
  if (!result.types) return [];
  return result.problems
    .filter((problem) => {
      return !("resolutionKind" in problem && foreignResolutions.has(problem.resolutionKind));
    })
    .map((problem) => JSON.stringify(problem));
}

async function problemsOf(folder: string, scratch: string): Promise<string[]> {
  const manifest = await manifestOf(folder);
  if (manifest.private) return [];
  const tarball = await pack(folder, scratch);
  const problems = [...(await publishingProblems(tarball)), ...(await typeProblems(tarball))];
  return problems.map((problem) => `${manifest.name}: ${problem}`);
}

const scratch = await mkdtemp(join(tmpdir(), "turnwire-packages-"));
try {
  const folders = (await readdir(packages)).map((name) => join(packages, name));
  const problems: string[] = [];
  for (const folder of folders) problems.push(...(await problemsOf(folder, scratch)));
  for (const problem of problems) console.error(problem);
  console.log(`${folders.length} packages checked, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
