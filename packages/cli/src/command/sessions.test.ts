import { describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";
import { useServedMachine } from "../test-support/served-machine.ts";

interface Listed {
  readonly session_id: string;
  readonly title?: string;
  readonly status: string;
  readonly cwd?: string;
}

describe("turnwire sessions", () => {
  const served = useServedMachine();
  const output = (...args: readonly string[]) => served.output("sessions", ...args);

  async function listed(...args: readonly string[]): Promise<Listed[]> {
    return (await served.json("sessions", "list", "--json", ...args)) as Listed[];
  }

  test("says how to begin where there are none", async () => {
    expect(await output()).toBe("No sessions yet. Start one: turnwire chat\n");
    expect(await listed()).toEqual([]);
  });

  test("makes sessions where the person is, and lists them for people and programs", async () => {
    const first = (await output("new", "--title", "One")).trim();
    const second = (await output("new", "--title", "Two\u001b[31m", "--model", "demo-1")).trim();
    const all = await listed();
    expect(new Set(all.map(({ session_id }) => session_id))).toEqual(new Set([first, second]));
    expect(all[0]?.cwd).toBe(served.machine.cwd);
    const table = await output();
    expect(table).toMatch(/^ID +TITLE +RUNTIME +STATE +CHANGED\n/);
    expect(table).toMatch(new RegExp(`${first.slice(0, 8)} +One +demo +\\w+ +just now`));
    expect(table).not.toContain("\u001b");
    expect(await listed("--limit", "1")).toHaveLength(1);
  });

  test("asks for a sandbox, with and without network, and says where there is none", async () => {
    for (const flag of ["--sandbox", "--no-network"]) {
      const refused = await served.machine.run(["sessions", "new", flag]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("sandbox: Demo has none here");
    }
    expect(await listed()).toEqual([]);
  });

  test("shows, renames, archives, forks and deletes by the beginning of an id", async () => {
    const id = (await output("new")).trim();
    const short = id.slice(0, 8);
    expect(await output("rename", short, "A name")).toBe(`Renamed ${id}.\n`);
    expect(await output("show", short)).toMatch(/title +A name/);
    expect(JSON.parse(await output("show", short, "--json"))).toMatchObject({ title: "A name" });
    const copy = (await output("fork", short)).trim();
    expect(copy).not.toBe(id);
    await output("archive", id);
    expect(await listed("--status", "archived")).toHaveLength(1);
    await output("unarchive", id);
    expect(await listed("--status", "archived")).toHaveLength(0);
    expect(JSON.parse(await output("delete", id, "--json"))).toEqual({
      session_id: id,
      deleted: true,
    });
    expect((await listed()).map(({ session_id }) => session_id)).toEqual([copy]);
  });

  test.each([
    [["lst"], 2, 'cannot "lst". Did you mean list?'],
    [["show"], 2, "Missing session id. Usage: turnwire sessions show ID"],
    [["rename", "x".repeat(8)], 1, "There is no session"],
    [["show", "abc"], 1, 'There is no session "abc": see turnwire sessions.'],
    [
      ["list", "--status", "dead"],
      2,
      '--status must be live or hibernated or archived, not "dead".',
    ],
    [["new", "--runtime", "codex"], 1, "codex"],
    [["new", "--cwd", "/"], 1, "turnwire projects add"],
  ])("answers %j with %i and a reason", async (args, exit, message) => {
    const { code, stdout, stderr } = await served.machine.run(["sessions", ...args]);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
    expect(code).toBe(exit);
  });

  test("says so when the beginning of an id is not enough", async () => {
    for (const name of ["abcd-1", "abcd-2"]) {
      const client = await served.machine.client();
      await client.sessions.create({ session_id: name });
    }
    const { code, stderr } = await served.machine.run(["sessions", "show", "abcd"]);
    expect(code).toBe(1);
    expect(stderr).toBe('turnwire: 2 sessions begin with "abcd": write more of the id.\n');
  });
});

describe("turnwire sessions without a server", () => {
  test("says how to start one", async () => {
    const machine = await TestMachine.create();
    const { code, stderr } = await machine.run(["sessions"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `turnwire: No server runs on ${machine.dataDirectory}: start one with "turnwire serve", or name one with --url.\n`,
    );
    const unreached = await machine.run(["sessions", "--url", "http://127.0.0.1:1"]);
    expect(unreached.code).toBe(1);
    expect(unreached.stderr).toContain("was not reached");
    await machine.remove();
  });
});
