import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";
import { SpawnedClis } from "../test-support/spawned-cli.ts";

describe("turnwire serve that is stopped while a turn runs", () => {
  let machine: TestMachine;
  let clis: SpawnedClis;

  beforeEach(async () => {
    machine = await TestMachine.create();
    clis = await SpawnedClis.create(machine);
  });

  afterEach(async () => {
    await clis.end();
    await machine.remove();
  });

  async function serve(...args: readonly string[]) {
    const server = await clis.serve(args);
    const token = (await readFile(join(machine.dataDirectory, "token"), "utf8")).trim();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const request = (path: string, body?: unknown) =>
      fetch(`${server.report.url}${path}`, {
        headers,
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      });
    return { ...server, request };
  }

  /** A session whose turn waits for a permission, followed as bytes. */
  async function askedSession(server: Awaited<ReturnType<typeof serve>>) {
    const created = (await (await server.request("/sessions", {})).json()) as {
      session_id: string;
    };
    const path = `/sessions/${created.session_id}`;
    const sent = await server.request(`${path}/commands`, {
      type: "user_message",
      content: "/permission",
    });
    expect(sent.status).toBe(202);
    const { body } = await server.request(`${path}/events`);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = "";
    const readUntil = async (pattern: RegExp): Promise<string> => {
      for (let match = pattern.exec(seen); ; match = pattern.exec(seen)) {
        if (match) return match[1] ?? "";
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`The stream ended with: ${seen}`);
        seen += value;
      }
    };
    const rest = async (): Promise<string> => {
      for (;;) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return seen;
        seen += value;
      }
    };
    const correlationId = await readUntil(/permission_request.*"correlation_id":"([^"]+)"/);
    return { path, correlationId, rest };
  }

  test("finishes the turn with the answer that comes meanwhile, begins nothing new, and ends with 0", async () => {
    const server = await serve();
    const { path, correlationId, rest } = await askedSession(server);
    server.child.kill("SIGTERM");
    const health = async () => (await server.request("/health")).status;
    await expect.poll(health).toBe(503);
    const refused = await server.request("/sessions", {});
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("connection")).toBe("close");
    expect(await refused.json()).toMatchObject({ error: { code: "shutting_down" } });
    expect(
      (await server.request(`${path}/commands`, { type: "user_message", content: "more" })).status,
    ).toBe(503);
    const answer = {
      type: "permission_response",
      correlation_id: correlationId,
      behavior: "allow",
    };
    expect((await server.request(`${path}/commands`, answer)).status).toBe(202);
    const streamed = await rest();
    expect(streamed).toMatch(/"type":"done"/);
    expect(streamed).not.toContain("turn_lost");
    expect(streamed).toMatch(/\nretry: \d+\n\n$/);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await server.stderr).toContain("up to 30 s");
    const next = await serve();
    const { state } = (await (await next.request(`${path}/snapshot`)).json()) as {
      state: { status: string; turn: unknown };
    };
    expect(state).toMatchObject({ turn: null });
  });

  test("settles the turn as lost when its time is up", async () => {
    const server = await serve("--drain-seconds", "1");
    const { rest } = await askedSession(server);
    server.child.kill("SIGTERM");
    expect((await rest()).match(/"code":"turn_lost"/g)).toHaveLength(1);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  test("ends at once by a second signal", async () => {
    const server = await serve("--drain-seconds", "600");
    await askedSession(server);
    server.child.kill("SIGTERM");
    await expect.poll(async () => (await server.request("/health")).status).toBe(503);
    server.child.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 143, signal: null });
  });
});
