import { describe, expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoginInfo } from "@turnwire/protocol";
import { useServedMachine } from "../test-support/served-machine.ts";

describe("turnwire logins", () => {
  const served = useServedMachine();
  const output = (...args: readonly string[]) => served.output(...args);

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
    return (await served.json("logins", "--json")).map((login) => LoginInfo.parse(login));
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
    const refusal = async (...args: string[]) =>
      (await served.machine.run(["logins", ...args])).stderr;
    expect(await refusal("revoke")).toContain("Which log-in?");
    expect(await refusal("revoke", "none")).toContain('There is no log-in "none"');
    expect(await refusal("revok")).toContain("revoke");
  });

  test("are still there after a restart; a damaged file stops the start with a sentence", async () => {
    await logIn("Kept");
    await served.stop();
    await served.restart();
    expect((await listed()).map(({ name }) => name)).toEqual(["Kept"]);
    await served.stop();
    await writeFile(join(served.machine.dataDirectory, "logins.json"), "{half");
    const { code, stderr } = await served.machine.run(["serve", "--port", "0"]);
    expect(code).toBe(1);
    expect(stderr).toContain("is damaged; delete it");
    await writeFile(join(served.machine.dataDirectory, "logins.json"), '{"logins":[]}');
    await served.restart();
  });
});
