import { expect, test } from "vitest";
import { useCodexPlace } from "../../runtime-codex/src/test-support/codex-place.ts";
import { playKitLife } from "./test-support/kit-life.ts";

const place = useCodexPlace();
const ends = ["success", "success", "error_during_execution"];

test("Codex over the kit's wire is asked, answered and interrupted from a second connection", async () => {
  const life = await playKitLife(place.createRuntime(), place.cwd);
  expect(life).toEqual({
    chat: "hello over the kit",
    hasRun: { asked: false, allowed: true },
    results: { first: ends, second: ends },
    errors: [],
    failure: [true, true],
    elsewhere: {
      prompts: [
        "SCENARIO:text hello over the kit",
        "SCENARIO:tool touch kit.txt",
        "SCENARIO:hold kit-never",
        "SCENARIO:error 400",
        "SCENARIO:text still here",
      ],
      cwd: place.cwd,
      ids: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
      isAgents: true,
    },
  });
});
