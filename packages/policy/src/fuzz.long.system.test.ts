import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { closedList, type Cut, mended, plantReader } from "./test-support/fuzz/planted-reader.ts";
import { hasSandbox } from "./test-support/fuzz/recording-sandbox.ts";

const program = join(import.meta.dirname, "test-support/fuzz/run-fuzz.ts");
const root = join(import.meta.dirname, "../../..");
const Result = z.object({ found: z.array(z.object({ command: z.string() })) });

/** Runs the fuzzer with a reader that lacks some parts; answers with the first commands that differ. */
async function foundWithout(cuts: readonly Cut[], containment: string, count: number) {
  const reader = await plantReader(cuts);
  try {
    const tsx = join(root, "node_modules/.bin/tsx");
    const args = ["--conditions=@turnwire/source", program, "--once", "--seed", "541512"];
    const all = [
      ...args,
      "--reader",
      reader.directory,
      "--count",
      String(count),
      "--containment",
      containment,
    ];
    const output = await new Promise<string>((resolve, reject) => {
      execFile(tsx, all, { cwd: root }, (error, stdout, stderr) => {
        if (stdout === "") reject(new Error(stderr, { cause: error }));
        else resolve(stdout);
      });
    });
    return Result.parse(JSON.parse(output)).found;
  } finally {
    await reader.remove();
  }
}

/** Without containment these are outside of the closed list too. */
const behindClosedList = new Set<string>([
  "a bracket that sed ends elsewhere",
  "a line continued within a word",
  "a text that sh reads otherwise",
]);

describe.skipIf(!hasSandbox())("the fuzzer", () => {
  test.each(Object.entries(mended))(
    "with containment finds %s where its mending is taken out",
    async (_, cuts) => {
      expect(await foundWithout(cuts, "kernel", 20_000)).toHaveLength(1);
    },
  );

  test.each(Object.entries(mended))(
    "without containment finds %s where the closed list is gone as well",
    async (_, cuts) => {
      expect(await foundWithout([...cuts, ...closedList], "none", 20_000)).toHaveLength(1);
    },
  );

  test.each(Object.entries(mended).filter(([name]) => behindClosedList.has(name)))(
    "without containment finds nothing where only the mending of %s is taken out",
    async (_, cuts) => {
      expect(await foundWithout(cuts, "none", 1_500)).toEqual([]);
    },
  );
});
