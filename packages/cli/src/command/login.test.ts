import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

describe("turnwire login", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  test("prints a link that logs a browser in once", async () => {
    const { url, stop } = await machine.serve();
    const { code, stdout } = await machine.run(["login"]);
    expect(code).toBe(0);
    expect(stdout.startsWith(`${url}/login/`)).toBe(true);
    const visit = async (link: string) => (await fetch(link, { method: "POST" })).status;
    expect(await visit(stdout.trim())).toBe(200);
    expect(await visit(stdout.trim())).toBe(401);
    const json = await machine.run(["login", "--json"]);
    const { login_url } = JSON.parse(json.stdout) as { login_url: string };
    expect(await visit(login_url)).toBe(200);
    await stop();
  });

  test("says how to start a server where none runs", async () => {
    const { code, stderr } = await machine.run(["login"]);
    expect(code).toBe(1);
    expect(stderr).toContain('start one with "turnwire serve"');
  });
});
