import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluateCommand } from "./evaluate.ts";
import { realPath } from "./file-system.ts";
import { defaultPolicy } from "./policy.ts";
import { createRandom, randomScript } from "./test-support/random-script.ts";
import { createStubbedBash, type StubbedBash } from "./test-support/stubbed-bash.ts";

const isSoak = process.env["TURNWIRE_SOAK"] === "1";
/** How many scripts are made; those that are allowed are run. */
const count = Number(process.env["TURNWIRE_FUZZ_SCRIPTS"] ?? (isSoak ? 100_000 : 500));
/** CI tries the same scripts each time, as properties do; `npm run soak` draws new ones. */
const seed = Number(
  process.env["TURNWIRE_FUZZ_SEED"] ?? (isSoak ? Date.now() % 1_000_000 : 541_512),
);

describe("what a planner is allowed, run in a real bash", () => {
  let bash: StubbedBash;

  beforeAll(async () => {
    bash = await createStubbedBash();
  });

  afterAll(() => bash.remove());

  test("notices a script that is not harmless", async () => {
    expect(await bash.run("payload")).toEqual(["it reached a stubbed program"]);
    expect(await bash.run(": > new; cat a.txt")).toEqual(["it made new"]);
    await bash.run("/bin/rm new");
    expect(await bash.run("ls | head -n 1; cat a.txt")).toEqual([]);
  });

  test(`reaches no stubbed program and writes nothing (seed ${seed})`, async () => {
    const random = createRandom(seed);
    const policy = defaultPolicy();
    const facts = { cwd: bash.cwd, roots: [bash.cwd], home: bash.cwd, realPath };
    const violations = [];
    let allowed = 0;
    for (let index = 0; index < count; index += 1) {
      const script = randomScript(random);
      const { verdict } = evaluateCommand(script, { policy, mode: "planner", facts });
      if (verdict !== "allow") continue;
      allowed += 1;
      const traces = await bash.run(script);
      if (traces.length > 0) violations.push({ script, traces });
    }
    expect(violations).toEqual([]);
    // Otherwise it proves nothing.
    expect(allowed).toBeGreaterThan(count / 50);
  });
});
