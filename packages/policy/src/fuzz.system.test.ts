import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { evaluateCommand } from "./evaluate.ts";
import { fuzz } from "./test-support/fuzz/fuzz.ts";
import { differences } from "./test-support/fuzz/difference.ts";
import { createHostileProject, type HostileProject } from "./test-support/fuzz/hostile-project.ts";
import { hasSandbox, runRecorded } from "./test-support/fuzz/recording-sandbox.ts";

const isSoak = process.env["TURNWIRE_SOAK"] === "1";
/** How many commands are generated; those that are allowed are run. */
const count = Number(process.env["TURNWIRE_FUZZ_SCRIPTS"] ?? (isSoak ? 20_000 : 100));
/** CI tries the same commands each time, as properties do; `npm run soak` draws new ones. */
const seed = Number(
  process.env["TURNWIRE_FUZZ_SEED"] ?? (isSoak ? Date.now() % 1_000_000 : 541_512),
);
const kept = z
  .array(z.string())
  .parse(
    JSON.parse(
      readFileSync(join(import.meta.dirname, "test-support/fuzz/kept-commands.json"), "utf8"),
    ),
  );

describe.skipIf(!hasSandbox())("commands that a mode allows, run in a real bash", () => {
  let project: HostileProject;

  beforeAll(async () => {
    project = await createHostileProject();
  });

  afterAll(() => project.remove());

  test.each([
    ["payload", ["it ran the payload"]],
    ["./node_modules/.bin/tsc", ["it ran ./node_modules/.bin/tsc"]],
    ["cat n*", ["it read outside/secret.txt, outside"]],
    ["cat .env", ["it read .env"]],
    ["git show HEAD:.env", ["it printed a secret"]],
    ["git -C evil/wt show", ["it ran the payload"]],
    [": > new", ["it wrote app/new"]],
    ["rm a.txt", ["it wrote app/a.txt"]],
    ["exec 3<>/dev/tcp/127.0.0.1/9", ["it connected to "]],
  ])("the recording shows %j", async (command, expected) => {
    const recording = await runRecorded(command, project, { hidesSecrets: false });
    const found = differences(recording, project, { mode: "planner", hidesSecrets: false });
    for (const text of expected) {
      expect(found).toContainEqual(expect.stringContaining(text));
    }
    await project.reset();
  });

  test("and nothing where there is nothing", async () => {
    const command = "ls | head -n 1; cat a.txt; git status -s; git diff";
    const recording = await runRecorded(command, project, { hidesSecrets: false });
    expect(differences(recording, project, { mode: "planner", hidesSecrets: false })).toEqual([]);
  });

  test.each(["kernel", "none"] as const)(
    `do no more than it says, with containment %s (seed ${seed})`,
    async (containment) => {
      const evaluate = evaluateCommand;
      const result = await fuzz({ project, evaluate, containment, seed, count, kept });
      expect(result.found).toEqual([]);
      // Otherwise it proves nothing.
      expect(result.allowed).toBeGreaterThan(count / 20);
    },
  );
});
