import { createClient } from "@turnwire/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

const token = "canary-token-0123456789-abcdefghijklmnopqrstuvwxyz";

let machine: TestMachine;

beforeEach(async () => {
  machine = await TestMachine.create({ TURNWIRE_TOKEN: token });
});

afterEach(() => machine.remove());

async function serve(...args: string[]) {
  const server = machine.start(["serve", "--json", "--port", "0", ...args]);
  const [line] = await server.stdout.until(/^.*\n/);
  const { url, login_url: loginUrl } = JSON.parse(line) as { url: string; login_url: string };
  return { server, url, loginUrl };
}

describe("the log of turnwire serve", () => {
  test("has the life of sessions and what was refused, and none of what must stay secret", async () => {
    const { server, url, loginUrl } = await serve("--log-level", "debug");
    const client = createClient({ url, token });
    const { session_id: id } = await client.sessions.create({ runtime: "demo" });
    const session = client.openSession(id);
    await session.send("canary-prompt, please");
    await session.waitFor(
      ({ session: { turn, messages } }) => turn === null && messages.length > 1,
    );
    session.close();
    await client.sessions.delete(id);

    const headers = { authorization: "Bearer canary-bearer-1", cookie: "turnwire=canary-cookie-2" };
    expect((await fetch(`${url}/sessions?after=canary-query-3`, { headers })).status).toBe(401);
    expect((await fetch(`${url}/login/canary-code-4`)).status).toBe(401);
    expect((await fetch(loginUrl, { method: "POST" })).status).toBe(200);
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);

    const log = server.stderr.text;
    const entries = log
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const find = (message: string) => entries.find(({ msg }) => msg === message);
    expect(find("listening")).toMatchObject({ level: 30, url });
    expect(find("session created")).toMatchObject({ session: id, runtime: "demo" });
    expect(find("turn ended")).toMatchObject({ session: id, level: 20 });
    expect(find("session deleted")).toMatchObject({ session: id });
    expect(find("request refused")).toMatchObject({
      level: 40,
      method: "GET",
      route: "/sessions",
      status: 401,
    });
    expect(entries.some(({ route }) => route === "/login/{code}")).toBe(true);
    expect(log).not.toContain("canary");
    expect(log).not.toContain(loginUrl.split("/").at(-1));
  });

  test("is as quiet as asked, by flag or variable", async () => {
    const { server, url } = await serve("--log-level", "error");
    expect((await fetch(`${url}/sessions`)).status).toBe(401);
    server.signal("SIGTERM");
    await server.exited;
    expect(server.stderr.text).toBe("");
    const wrong = await machine.run(["serve", "--port", "0"], {
      env: { TURNWIRE_LOG_LEVEL: "loud" },
    });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("TURNWIRE_LOG_LEVEL");
  });
});
