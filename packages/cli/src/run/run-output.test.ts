import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunMachine } from "../test-support/run-machine.ts";

let machine: RunMachine;

beforeEach(async () => {
  machine = await RunMachine.create();
});

afterEach(() => machine.remove());

describe("stream-json", () => {
  /** The lines that the server projects for a session, up to the given number of results. */
  async function projected(sessionId: string, results: number): Promise<string[]> {
    const { token } = (await machine.connection()) ?? {};
    const abort = new AbortController();
    const response = await fetch(
      `${machine.url}/sessions/${sessionId}/events?dialect=stream-json`,
      {
        headers: { authorization: `Bearer ${token}` },
        signal: abort.signal,
      },
    );
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.split("event: result").length > results && text.endsWith("\n\n")) break;
    }
    abort.abort();
    return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  }

  test.each(["/tools", "/permission", "/subagents", "/error", "/long 40"])(
    "is what the server projects: %s",
    async (prompt) => {
      const args = ["run", prompt, "--runtime", "demo", "--output-format", "stream-json"];
      const { stdout } = await machine.run(args);
      const lines = stdout.trimEnd().split("\n");
      const { session_id: id = "" } = (await machine.sessions())[0] ?? {};
      expect(lines).toEqual(await projected(id, 1));
    },
  );

  test("has each turn of a loop, and of a continued session only the new one", async () => {
    machine.says.work = (_prompt, turn) => (turn < 3 ? "Half" : "DONE");
    const loop = ["run", "Mend it", "--until", "DONE", "--output-format", "stream-json"];
    const first = (await machine.run(loop)).stdout.trimEnd().split("\n");
    const { session_id: id = "" } = (await machine.sessions())[0] ?? {};
    expect(first).toEqual(await projected(id, 3));
    const again = ["run", "More", "--session", id, "--output-format", "stream-json"];
    const second = (await machine.run(again)).stdout.trimEnd().split("\n");
    expect([...first, ...second]).toEqual(await projected(id, 4));
  });
});

describe("progress", () => {
  function terminal(): PassThrough & { isTTY: boolean; columns: number } {
    return Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  }

  test("is shown on a terminal, with a link to each session; the answer still goes to a pipe", async () => {
    const stderr = terminal();
    const { code, stdout } = await machine.run(["run", "Mend it", "--review", "reviewer"], {
      stderr,
      env: { NO_COLOR: "1" },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It is mended.\n" });
    const shown = String(stderr.read());
    for (const { session_id } of await machine.sessions()) {
      expect(shown.split("\n")).toContain(`${machine.url}/s/${session_id}`);
    }
    expect(shown).toContain("It is mended.");
    expect(shown).toContain("PASS");
  });

  test("has shown the answer where both are terminals: it is not printed twice", async () => {
    const stdout = terminal();
    const stderr = terminal();
    await machine.run(["run", "Mend it"], { stdout, stderr });
    expect(stdout.read()).toBeNull();
    expect(String(stderr.read()).match(/It is mended\./g)).toHaveLength(1);
  });
});
