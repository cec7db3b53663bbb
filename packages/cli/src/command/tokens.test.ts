import { CreatedToken, TokenInfo } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { useServedMachine } from "../test-support/served-machine.ts";

describe("turnwire tokens", () => {
  const served = useServedMachine();
  const output = (...args: readonly string[]) => served.output(...args);

  /** The status that a token gets for something to read, and for something to do. */
  async function statusOf(token: string): Promise<number[]> {
    const login = (await output("login")).trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const ask = async (method: string, path: string, body?: string) =>
      (await fetch(new URL(path, login), { method, headers, ...(body && { body }) })).status;
    return [await ask("GET", "/sessions"), await ask("POST", "/sessions", "{}")];
  }

  test("creates one that only reads unless more is asked for, and shows it once", async () => {
    expect(await output("tokens")).toContain("There are no scoped tokens.");
    const token = (await output("tokens", "create", "--expires", "7d")).trim();
    expect(await statusOf(token)).toEqual([200, 403]);
    const table = await output("tokens", "list");
    expect(table).toMatch(/^ID +SCOPE +SESSION +LAST SEEN +CREATED +ENDS \(UTC\)\n/);
    expect(table).toMatch(/[0-9a-f]{16} +read +all +just now +just now +\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(table).not.toContain(token);
    const [info] = (await served.json("tokens", "--json")).map((each) => TokenInfo.parse(each));
    const { created_at = "", expires_at = "" } = info ?? {};
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 86_400_000);
  });

  test("revokes one by the beginning of its id; the others outlive a restart", async () => {
    const create = async (...args: readonly string[]) => {
      const [created] = await served.json("tokens", "create", "--json", ...args);
      return CreatedToken.parse(created);
    };
    const [kept, ended] = [await create("--scope", "read"), await create("--scope", "admin")];
    const { token_id } = ended;
    expect(await output("tokens", "revoke", token_id.slice(0, 12))).toBe(`Revoked ${token_id}.\n`);
    await served.stop();
    await served.restart();
    expect(await statusOf(kept.token)).toEqual([200, 403]);
    expect(await statusOf(ended.token)).toEqual([401, 401]);
  });

  test("says what is missing or unknown", async () => {
    const refusal = async (...args: string[]) =>
      (await served.machine.run(["tokens", ...args])).stderr;
    expect(await refusal("revoke")).toContain("Which token?");
    expect(await refusal("revoke", "none")).toContain('There is no token "none"');
    expect(await refusal("create", "--expires", "soon")).toContain("such as 30m, 12h or 7d");
    expect(await refusal("create", "--scope", "root")).toContain(
      "--scope must be read or operate or admin",
    );
    expect(await refusal("create", "--session", "none")).toContain("no such session");
    expect(await refusal("crate")).toContain("create");
  });
});
