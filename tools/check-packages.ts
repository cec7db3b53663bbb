import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { consumerProblems } from "./consumer-types.ts";
import { packPackages, publishedPackages } from "./published-package.ts";

// Judges each package as npm would publish it, and the types of all together in a strict project. Needs dist; asks no registry.

/** We publish ES modules only: how CommonJS and Node 10 would see them does not matter. */
const foreignResolutions = new Set(["node10", "node16-cjs"]);

type Bytes = Uint8Array<ArrayBuffer>;

async function publishingProblems(bytes: Bytes): Promise<string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeProblems(bytes: Bytes): Promise<string[]> {
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
  const tarballs = await packPackages(await publishedPackages(), scratch);
  let count = 0;
  for (const { name, path } of tarballs) {
    const bytes: Bytes = new Uint8Array(await readFile(path));
    const problems = [...(await publishingProblems(bytes)), ...(await typeProblems(bytes))];
    for (const problem of problems) console.error(`${name}: ${problem}`);
    count += problems.length;
  }
  const consumer = await consumerProblems(tarballs, join(scratch, "consumer"));
  for (const problem of consumer) console.error(`in a project that installs all: ${problem}`);
  count += consumer.length;
  console.log(`${tarballs.length} packages checked, ${count} problems`);
  process.exitCode = count === 0 ? 0 : 1;
} finally {
  await rm(scratch, { recursive: true, force: true });
}
