import type { SessionEvent } from "@turnwire/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import type { TestMachine } from "../test-support/cli-run.ts";
import { useServedMachine } from "../test-support/served-machine.ts";

describe("turnwire tail", () => {
  const served = useServedMachine();
  let machine: TestMachine;
  let id: string;

  beforeEach(async () => {
    ({ machine } = served);
    const sent = await machine.run(["send", "new", "/tools", "--wait", "--json"]);
    ({ session_id: id } = JSON.parse(sent.stdout) as { session_id: string });
  });

  const events = (text: string): SessionEvent[] =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as SessionEvent);

  test("gives programs every event of the log, in order and without a gap", async () => {
    const { code, stdout } = await machine.run(["tail", id, "--no-follow", "--json"]);
    expect(code).toBe(0);
    const all = events(stdout);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all[0]?.type).toBe("session_ready");
    expect(all.at(-1)?.type).toBe("done");
    const rest = await machine.run(["tail", id, "--no-follow", "--json", "--after", "3"]);
    expect(events(rest.stdout)).toEqual(all.slice(3));
  });

  test("gives people one safe line for each event", async () => {
    const { stdout } = await machine.run(["tail", id, "--no-follow"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^ {5}1 \d\d:\d\d:\d\d\.\d{3} session_ready +\S+ demo/);
    expect(stdout).toMatch(/user_message +\(turn\) \/tools/);
    expect(stdout).toMatch(/tool_start +Bash npm test/);
    expect(stdout).toMatch(/tool_result +failed exit 1/);
    const { stdout: json } = await machine.run(["tail", id, "--no-follow", "--json"]);
    expect(lines).toHaveLength(events(json).length);
  });

  test("follows until the session is deleted, then ends with 0", async () => {
    const tail = machine.start(["tail", id, "--json"]);
    await tail.stdout.until(/"type":"done"/);
    await machine.run(["send", id, "/usage"]);
    await tail.stdout.until(/"type":"done"[^]*"type":"done"/);
    await machine.run(["sessions", "delete", id]);
    expect(await tail.exited).toBe(0);
    const all = events(tail.stdout.text);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.at(-1)?.type).toBe("session_closed");
  });

  test("shows every kind of event in words", async () => {
    for (const scenario of [
      "/plan",
      "/diff",
      "/components",
      "/state",
      "/mcp",
      "/tasks",
      "/unknown",
    ]) {
      await machine.run(["send", id, scenario, "--wait"]);
    }
    const { code, stdout } = await machine.run(["tail", id, "--no-follow"]);
    expect(code).toBe(0);
    for (const part of [
      /plan +\[in_progress\] Read the code/,
      /diff +diff --git/,
      /component_update +table \(chat\)/,
      /state_delta +\[\{"op":"replace"/,
      /mcp_status +files connected/,
      /task +task_\w+ running npm run build/,
      /native +demo/,
    ]) {
      expect(stdout).toMatch(part);
    }
  });

  test.each([
    [[], 2, "Missing session id."],
    [["missing"], 1, "There is no session"],
    [["x", "--follow", "--no-follow"], 2, "contradict"],
    [["x", "--after", "-1"], 2, "--after"],
  ])("answers %j with %i and a reason", async (args, exit, message) => {
    const { code, stderr } = await machine.run(["tail", ...args]);
    expect(stderr).toContain(message);
    expect(code).toBe(exit);
  });

  test("starts at the oldest event that --retain has left", async () => {
    await served.stop();
    await served.restart("--retain", "8");
    const sent = await machine.run(["send", "new", "/tools", "--wait", "--json"]);
    const { session_id, seq } = JSON.parse(sent.stdout) as { session_id: string; seq: number };
    expect(seq).toBeGreaterThan(0);
    const client = await machine.client();
    await expect
      .poll(() => client.sessions.eventPage(session_id, { after: 0 }).catch((error) => error))
      .toMatchObject({ error: { code: "cursor_gone" } });
  });
});
