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
const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** We publish ES modules only: how CommonJS and Node 10 would see them does not matter. */
const foreignResolutions = new Set(["node10", "node16-cjs"]);

interface Tarball {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

async function pack(destination: string): Promise<Tarball[]> {
  const parameters = ["pack", "--json", "--offline", "--pack-destination", destination];
  const names = await readdir(join(root, "packages"));
  const workspaces = names.flatMap((name) => ["--workspace", join("packages", name)]);
  const { stdout } = await run("npm", [...parameters, ...workspaces], { cwd: root });
  const packed: { name: string; filename: string }[] = JSON.parse(stdout);
  return Promise.all(
    packed.map(async ({ name, filename }) => {
      return { name, bytes: new Uint8Array(await readFile(join(destination, filename))) };
    }),
  );
}

async function publishingProblems({ bytes }: Tarball): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeProblems({ bytes }: Tarball): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(bytes), {
    excludeEntrypoints: [/\.css$/],
  });
  if (!result.types) return [];
  return result.problems
    .filter((problem) => {
      return !("resolutionKind" in problem && foreignResolutions.has(problem.resolutionKind));
    })
    .map((problem) => JSON.stringify(problem));
}

const scratch = await mkdtemp(join(tmpdir(), "turnwire-packages-"));
try {
  const tarballs = await pack(scratch);
  let count = 0;
  for (const tarball of tarballs) {
    const problems = [...(await publishingProblems(tarball)), ...(await typeProblems(tarball))];
    for (const problem of problems) console.error(`${tarball.name}: ${problem}`);
    count += problems.length;
  }
  console.log(`${tarballs.length} packages checked, ${count} problems`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
