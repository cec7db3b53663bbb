/** `turnwire run` with both real agents: one works, the other reviews, and no one is there. */
import { checkGrammar } from "@turnwire/protocol";
import * as anthropic from "@turnwire/conformance/anthropic-standin";
import * as openai from "@turnwire/conformance/openai-standin";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type CliRun, TestMachine } from "../packages/cli/src/test-support/cli-run.ts";
import { AgentPair } from "./support/agent-pair.ts";
import { loopTask, teachWorkByClaude, teachWorkByCodex } from "./support/loop-scenario.ts";

let pair: AgentPair;
let cwd: string;

beforeAll(async () => {
  pair = await AgentPair.start();
});

beforeEach(() => {
  cwd = pair.newProject();
});

afterAll(() => pair.close());

async function run(...args: readonly string[]): Promise<CliRun> {
  const machine = await TestMachine.create({ TURNWIRE_TOKEN: pair.token });
  onTestFinished(() => machine.remove());
  return machine.run(["run", "--url", pair.url, "--cwd", cwd, ...args]);
}

interface Report {
  readonly outcome: string;
  readonly steps: readonly { readonly session_id: string; readonly text: string }[];
}

async function report(...args: readonly string[]): Promise<CliRun & { readonly report: Report }> {
  const ran = await run(...args, "--output-format", "json");
  if (ran.stdout === "") throw new Error(ran.stderr);
  return { ...ran, report: JSON.parse(ran.stdout) as Report };
}

describe.each([
  { worker: "claude", reviewer: "codex", teach: teachWorkByClaude },
  { worker: "codex", reviewer: "claude", teach: teachWorkByCodex },
])("$worker works, $reviewer reviews", ({ worker, reviewer, teach }) => {
  test("until it passes, with the reviewer's note fed back", async () => {
    teach(pair.agents);
    const path = join(cwd, "greeting.txt");
    const agents = ["--runtime", worker, "--review", reviewer, "--policy-mode", "implementation"];
    const limits = ["--until", "DONE", "--max-minutes", "10", "--max-turns", "10"];
    const { code, report: ran } = await report(loopTask(path), ...agents, ...limits);
    expect(ran.steps).toMatchObject([
      { type: "work", iteration: 1, runtime: worker, text: "I wrote it.\nDONE" },
      { type: "review", iteration: 1, runtime: reviewer, verdict: "FAIL" },
      { type: "work", iteration: 2, runtime: worker, text: "I corrected it.\nDONE" },
      { type: "review", iteration: 2, runtime: reviewer, verdict: "PASS" },
    ]);
    expect({ code, outcome: ran.outcome }).toEqual({ code: 0, outcome: "done" });
    expect(readFileSync(path, "utf8")).toBe("hello\n");
    for (const id of new Set(ran.steps.map(({ session_id }) => session_id))) {
      const { events } = await pair.client.sessions.eventPage(id, { limit: 1000 });
      expect(checkGrammar(events)).toEqual([]);
      expect(await pair.client.sessions.get(id)).toMatchObject({ activity: "idle", cwd });
    }
  });
});

describe.each(["claude", "codex"])("%s alone", (runtime) => {
  test("is refused what its policy mode does not allow, and answers all the same", async () => {
    const path = join(cwd, "never.txt");
    const mode = ["--runtime", runtime, "--policy-mode", "planner"];
    const { code, stderr } = await run(`SCENARIO:write ${path}`, ...mode);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(() => readFileSync(path)).toThrow("ENOENT");
  });

  test("fails with 3 where its model fails", async () => {
    const { code, stderr } = await run("SCENARIO:error 400", "--runtime", runtime);
    expect(code).toBe(3);
    expect(stderr).toContain("scripted 400");
  });

  test("is stopped by the limit of time in the middle of its words", async () => {
    const limit = ["--runtime", runtime, "--max-minutes", "0.01"];
    const { code, report: ran } = await report("SCENARIO:hold never", ...limit);
    expect({ code, outcome: ran.outcome }).toEqual({ code: 5, outcome: "limit_reached" });
    const [step] = ran.steps;
    expect(await pair.client.sessions.get(step?.session_id ?? "")).toMatchObject({
      activity: "idle",
    });
  });
});

test("a limit that Codex cannot count is refused before anything begins", async () => {
  const { code, stderr } = await run("Anything", "--review", "codex", "--max-cost", "1");
  expect(code).toBe(2);
  expect(stderr).toContain("--max-cost cannot hold Codex");
});

describe("an answer in the form of a schema", () => {
  const schema = {
    type: "object",
    properties: { licence: { type: "string" } },
    required: ["licence"],
    additionalProperties: false,
  };
  const structured = { licence: "MIT" };

  function schemaFile(): string {
    const path = join(cwd, "schema.json");
    writeFileSync(path, JSON.stringify(schema));
    return path;
  }

  test("is all that Claude prints, also where its policy mode allows little", async () => {
    pair.agents.anthropic.scenario("licence", () => [
      anthropic.toolUse("StructuredOutput", structured),
    ]);
    const mode = ["--runtime", "claude", "--policy-mode", "planner"];
    const ran = await run("SCENARIO:licence", ...mode, "--output-schema", schemaFile());
    expect(ran).toMatchObject({ code: 0, stdout: `${JSON.stringify(structured)}\n`, stderr: "" });
  });

  test("is all that Codex prints, whose model gets the schema with every turn", async () => {
    const answer = JSON.stringify(structured);
    pair.agents.openai.scenario("licence", () => [openai.text(answer)]);
    const options = ["--runtime", "codex", "--output-schema", schemaFile()];
    const { code, report: ran } = await report("SCENARIO:licence", ...options);
    expect({ code, ...ran }).toMatchObject({
      code: 0,
      structured_output: structured,
      text: answer,
    });
    const asked = pair.agents.openai.requests.at(-1)?.body;
    expect(asked).toMatchObject({ text: { format: { type: "json_schema", schema } } });
  });

  test("that an agent does not give fails the run with 3", async () => {
    for (const runtime of ["claude", "codex"]) {
      const options = ["--runtime", runtime, "--output-schema", schemaFile()];
      const { code, stderr } = await run("SCENARIO:text It is free.", ...options);
      expect(code).toBe(3);
      expect(stderr).toContain("did not answer in the form of --output-schema");
    }
  });

  test("is refused of an agent that has none, and of a file without one", async () => {
    const none = await run("Hello", "--runtime", "codex-exec", "--output-schema", schemaFile());
    expect(none.code).not.toBe(0);
    writeFileSync(join(cwd, "text.json"), "licence");
    const text = await run("Hello", "--output-schema", join(cwd, "text.json"));
    expect(text).toMatchObject({ code: 2 });
    expect(text.stderr).toContain("is not a file with a JSON object");
  });
});
