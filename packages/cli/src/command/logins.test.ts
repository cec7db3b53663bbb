import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoginInfo } from "@turnwire/protocol";
import { TestMachine } from "../test-support/cli-run.ts";

describe("turnwire logins", () => {
  let machine: TestMachine;
  let stop: () => Promise<number>;

  beforeEach(async () => {
    machine = await TestMachine.create();
    ({ stop } = await machine.serve());
  });

  afterEach(async () => {
    await stop();
    await machine.remove();
  });

  async function output(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await machine.run(args);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    return stdout;
  }

  /** As a browser does it; answers with its status afterwards. */
  async function logIn(name: string) {
    const link = (await output("login", "--name", name)).trim();
    const answer = await fetch(link, { method: "POST" });
    const { page_key } = (await answer.json()) as { page_key: string };
    const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const headers = { cookie, "turnwire-page-key": page_key };
    return async () => (await fetch(new URL("/sessions", link), { headers })).status;
  }

  async function listed(): Promise<LoginInfo[]> {
    const lines = (await output("logins", "--json")).split("\n").filter(Boolean);
    return lines.map((line) => LoginInfo.parse(JSON.parse(line)));
  }

  test("says how to log a browser in where none is", async () => {
    expect(await output("logins")).toBe("No browser is logged in. Log one in: turnwire login\n");
  });

  test("lists browsers by name, and logs one out by the beginning of its id", async () => {
    const phone = await logIn("My phone");
    const desk = await logIn("Desk\u001b[31m");
    const table = await output("logins");
    expect(table).toMatch(/^ID +NAME +LAST SEEN +CREATED +ENDS\n/);
    expect(table).toMatch(/[0-9a-f]{8} +My phone +just now +just now +\d{4}-\d\d-\d\d/);
    expect(table).not.toContain("\u001b");
    const id = (await listed()).find(({ name }) => name === "My phone")?.login_id ?? "";
    expect(await output("logins", "revoke", id.slice(0, 8))).toBe(`Revoked ${id}.\n`);
    expect([await phone(), await desk()]).toEqual([401, 200]);
    expect(await listed()).toHaveLength(1);
    expect(await output("logins", "revoke", "--all")).toBe("Revoked all log-ins.\n");
    expect(await desk()).toBe(401);
  });

  test("says what is missing or unknown", async () => {
    const refusal = async (...args: string[]) => (await machine.run(["logins", ...args])).stderr;
    expect(await refusal("revoke")).toContain("Which log-in?");
    expect(await refusal("revoke", "none")).toContain('There is no log-in "none"');
    expect(await refusal("revok")).toContain("revoke");
  });

  test("are still there after a restart; a damaged file stops the start with a sentence", async () => {
    await logIn("Kept");
    await stop();
    ({ stop } = await machine.serve());
    expect((await listed()).map(({ name }) => name)).toEqual(["Kept"]);
    await stop();
    await writeFile(join(machine.dataDirectory, "logins.json"), "{half");
    const { code, stderr } = await machine.run(["serve", "--port", "0"]);
    expect(code).toBe(1);
    expect(stderr).toContain("is damaged; delete it");
    await writeFile(join(machine.dataDirectory, "logins.json"), '{"logins":[]}');
    ({ stop } = await machine.serve());
  });
});
