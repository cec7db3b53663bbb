import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunMachine } from "../test-support/run-machine.ts";

let machine: RunMachine;

beforeEach(async () => {
  machine = await RunMachine.create();
});

afterEach(() => machine.remove());

describe("a limit", () => {
  /** What a session looks like for whoever opens it after the run. */
  async function afterwards(): Promise<{ activity: string | undefined; budget: unknown }> {
    const [info] = await machine.sessions();
    const { state } = await (await machine.client()).sessions.snapshot(info?.session_id ?? "");
    return { activity: info?.activity, budget: state.session.budget?.allowed };
  }

  test("of turns ends the run with 5, reviews included", async () => {
    machine.says.review = () => "FAIL";
    const args = ["Mend it", "--review", "reviewer", "--max-turns", "3"];
    const { code, report: ran } = await machine.report(...args);
    expect(code).toBe(5);
    expect(ran).toMatchObject({ outcome: "limit_reached", reached: ["turns"] });
    expect(ran.steps.map(({ type }) => type)).toEqual(["work", "review", "work"]);
    expect(await afterwards()).toEqual({ activity: "idle", budget: undefined });
  });

  test("of cost holds for all turns together, in whatever session", async () => {
    const args = ["Mend it", "--until", "DONE", "--fresh", "--max-cost", "0.6"];
    const { code, report: ran } = await machine.report(...args);
    expect(code).toBe(5);
    expect(ran).toMatchObject({ reached: ["cost_usd"], iterations: 3, cost_usd: 0.75 });
    expect(await afterwards()).toEqual({ activity: "idle", budget: undefined });
  });

  test("of minutes stops the running turn", async () => {
    machine.says.work = () => undefined;
    const { code, report: ran } = await machine.report("Never ends", "--max-minutes", "0.002");
    expect(code).toBe(5);
    expect(ran).toMatchObject({ outcome: "limit_reached", reached: ["minutes"] });
    expect(await afterwards()).toEqual({ activity: "idle", budget: undefined });
  });

  test("does not replace the budget that a session has", async () => {
    const client = await machine.client();
    const { session_id: id } = await client.sessions.create({
      runtime: "worker",
      cwd: machine.cwd,
      budget: { turns: 5, cost_usd: 0.5 },
    });
    const run = ["run", "Mend it", "--session", id, "--max-cost", "9"];
    expect((await machine.run(run)).code).toBe(0);
    expect(await afterwards()).toEqual({ activity: "idle", budget: { turns: 5, cost_usd: 0.5 } });
    expect((await machine.run(run)).code).toBe(0);
    const { code, stderr } = await machine.run(run);
    expect(code).toBe(5);
    expect(stderr).toContain("A limit was reached: cost_usd");
  });
});
