/** `npm run fuzz:policy -- --count 20000 --seed 7 --containment none`: ends with 1 where a verdict and its effects differ. */
import { join } from "node:path";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { evaluateCommand as evaluate } from "../../evaluate.ts";
import { createHostileProject } from "./hostile-project.ts";
import { type Difference, fuzz } from "./fuzz.ts";
import { hasSandbox } from "./recording-sandbox.ts";

interface Reader {
  readonly evaluateCommand: typeof evaluate;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "5000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    containment: { type: "string", default: "kernel,none" },
    /** Another reader of commands: the directory of its sources. */
    reader: { type: "string" },
    /** Ends with the first difference, and keeps none. */
    once: { type: "boolean", default: false },
  },
});

if (!hasSandbox()) {
  console.error(
    "The fuzzer needs bubblewrap, strace and user namespaces: sudo apt-get install -y bubblewrap strace",
  );
  process.exit(2);
}
const source = values.reader ?? join(import.meta.dirname, "../..");
const { evaluateCommand } = (await import(
  pathToFileURL(join(source, "evaluate.ts")).href
)) as Reader;
const keptFile = join(import.meta.dirname, "kept-commands.json");
const kept = JSON.parse(await readFile(keptFile, "utf8")) as string[];
const project = await createHostileProject();
const all: Difference[] = [];
try {
  for (const containment of values.containment.split(",")) {
    if (containment !== "kernel" && containment !== "none") throw new TypeError(containment);
    const { allowed, judged, found } = await fuzz({
      project,
      evaluate: evaluateCommand,
      containment,
      seed: Number(values.seed),
      count: Number(values.count),
      ...(values.once ? { isEnough: (list) => list.length > 0 } : { kept }),
    });
    all.push(...found);
    console.log(JSON.stringify({ containment, seed: Number(values.seed), judged, allowed, found }));
  }
} finally {
  await project.remove();
}
if (!values.once && all.length > 0) {
  console.error(`Add the commands to ${keptFile} once they are mended.`);
}
process.exitCode = all.length > 0 ? 1 : 0;
