import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@turnwire/log";
import { CreatedToken, limits, SessionList, TokenList } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createAuditFile } from "../../3-host/audit/audit-file.ts";
import {
  codeOf,
  type RunningServer,
  startServer,
  type StartOptions,
  testToken,
} from "../test-support/running-server.ts";
import { openSocket, refusedUpgrade } from "../test-support/socket-client.ts";
import { readSse } from "../test-support/sse-reader.ts";
import { WatchedClock } from "../test-support/watched-clock.ts";
import { createTokenFile } from "./credential-store.ts";

type Wish = { scope: string; session_id?: string; expires_in_ms?: number };

async function create({ request }: Pick<RunningServer, "request">, wish: Wish) {
  const answer = await request("/tokens", { json: wish });
  expect(answer.status).toBe(201);
  return CreatedToken.parse(await answer.json());
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A server with a token, and requests that come with it. */
async function startWith(wish: Wish, options: StartOptions = {}) {
  const running = await startServer(options);
  const created = await create(running, wish);
  return { ...running, created, ...comingWith(running, created.token) };
}

function comingWith(running: RunningServer, token: string) {
  const headers = bearer(token);
  return {
    headers,
    as: (path: string, init: Parameters<RunningServer["request"]>[1] = {}) =>
      running.request(path, { ...init, headers }),
    read: async (path: string) => {
      const reader = await readSse(`${running.url}${path}`, headers);
      onTestFinished(() => reader.close());
      return reader;
    },
    socket: (path: string) => openSocket(`${running.url}${path}`, { headers }),
  };
}

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-tokens-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

describe("a scoped token", () => {
  test("is shown once, and kept as a digest only", async () => {
    const directory = await temporaryDirectory();
    const tokens = createTokenFile(directory);
    const auth = { type: "token", token: testToken, tokens } as const;
    const { created, request, as } = await startWith({ scope: "read" }, { auth });
    expect(created.token).toMatch(new RegExp(`^turnwire_${created.token_id}_[\\w-]{43}$`));
    const listed = await (await request("/tokens")).text();
    const { token: _token, ...info } = created;
    expect(TokenList.parse(JSON.parse(listed))).toEqual({ tokens: [info] });
    const path = join(directory, "tokens.json");
    const secret = created.token.slice(-43);
    for (const text of [listed, await readFile(path, "utf8")]) expect(text).not.toContain(secret);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await as("/sessions")).status).toBe(200);
  });

  test("outlives a restart, unless the server's own token changes", async () => {
    const tokens = createTokenFile(await temporaryDirectory());
    const first = await startWith(
      { scope: "read" },
      { auth: { type: "token", token: testToken, tokens } },
    );
    await first.server.close();
    const statusUnder = async (token: string): Promise<number> => {
      const running = await startServer({ auth: { type: "token", token, tokens } });
      return (await comingWith(running, first.created.token).as("/sessions")).status;
    };
    expect(await statusUnder(testToken)).toBe(200);
    expect(await statusUnder(testToken.toUpperCase())).toBe(401);
  });

  test("a damaged file of them stops the start with a sentence", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "tokens.json"), "{half");
    await expect(createTokenFile(directory).load()).rejects.toMatchObject({
      code: "tokens_damaged",
      message: expect.stringContaining("is damaged; delete it, then every scoped token"),
    });
  });

  test("with another secret, or of another id, is a wrong credential", async () => {
    const { url, created } = await startWith({ scope: "admin" });
    const { token, token_id } = created;
    const wrong = [
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
      token.replace(token_id, "0".repeat(16)),
      `turnwire_${token_id}_`,
      `${token}A`,
    ];
    for (const guess of wrong) {
      expect((await fetch(`${url}/sessions`, { headers: bearer(guess) })).status).toBe(401);
    }
  });

  test("is worth nothing after its time, and what is open with it ends", async () => {
    const clock = new WatchedClock();
    const running = await startWith({ scope: "read", expires_in_ms: 20_000 }, { clock });
    const { as, read, socket, created, request } = running;
    expect(Date.parse(created.expires_at ?? "")).toBe(clock.now() + 20_000);
    const id = await running.createSession();
    const readers = [await read(`/sessions/${id}/events`), await read("/watch")];
    const sockets = [await socket(`/sessions/${id}/ws`), await socket("/watch/ws")];
    await clock.beat(30);
    for (const reader of readers) await reader.ended;
    for (const client of sockets) expect(await client.closed).toMatchObject({ code: 4401 });
    expect(await codeOf(await as("/sessions"))).toBe("unauthorized");
    expect(await (await request("/tokens")).json()).toEqual({ tokens: [] });
  });

  test("is worth nothing once it is revoked, and what is open with it ends at once", async () => {
    const running = await startWith({ scope: "operate" });
    const { as, read, socket, created, request } = running;
    const other = comingWith(running, (await create(running, { scope: "operate" })).token);
    const id = await running.createSession();
    const reader = await read(`/sessions/${id}/events`);
    const client = await socket("/watch/ws");
    const path = `/tokens/${created.token_id}`;
    expect((await request(path, { method: "DELETE" })).status).toBe(204);
    await reader.ended;
    expect(await client.closed).toEqual({ code: 4401, reason: "unauthorized" });
    expect((await as("/sessions")).status).toBe(401);
    expect((await other.as("/sessions")).status).toBe(200);
    expect((await request("/sessions")).status).toBe(200);
    expect(await codeOf(await request(path, { method: "DELETE" }))).toBe("not_found");
  });

  test("is good on every host of a store, until it is revoked on one", async () => {
    const store = createMemoryStore({ isShared: true });
    const first = await startServer({ hostOptions: { store } });
    const second = await startServer({ hostOptions: { store } });
    const { token, token_id } = await create(first, { scope: "read" });
    const { as, socket } = comingWith(second, token);
    expect((await as("/sessions")).status).toBe(200);
    const client = await socket("/watch/ws");
    await first.request(`/tokens/${token_id}`, { method: "DELETE" });
    expect(await client.closed).toMatchObject({ code: 4401 });
    expect((await as("/sessions")).status).toBe(401);
  });

  test("is refused where the wish makes no sense", async () => {
    const { request, createSession } = await startServer();
    const codeFor = async (wish: object) => codeOf(await request("/tokens", { json: wish }));
    const session_id = await createSession();
    expect(await codeFor({})).toBe("invalid_request");
    expect(await codeFor({ scope: "root" })).toBe("invalid_request");
    expect(await codeFor({ scope: "read", expires_in_ms: 0 })).toBe("invalid_request");
    expect(await codeFor({ scope: "admin", session_id })).toBe("invalid_request");
    expect(await codeFor({ scope: "read", session_id: "none" })).toBe("session_not_found");
  });

  test("is one of so many at most; one that has ended makes room", async () => {
    const clock = new WatchedClock();
    const running = await startServer({ clock });
    await create(running, { scope: "read", expires_in_ms: 1_000 });
    for (let count = 1; count < limits.scopedTokens; count++) {
      await create(running, { scope: "read" });
    }
    const refused = await running.request("/tokens", { json: { scope: "read" } });
    expect(await codeOf(refused)).toBe("rate_limited");
    await clock.beat(1);
    await create(running, { scope: "read" });
  });

  test("exists only where a token lets people in, and is named in the audit log", async () => {
    const open = await startServer({ auth: { type: "off" } });
    expect(await codeOf(await open.request("/tokens"))).toBe("not_found");
    const audit = createAuditFile(await temporaryDirectory());
    const running = await startWith({ scope: "admin" }, { hostOptions: { audit } });
    const { created, as, createSession } = running;
    const id = await createSession();
    const json = { type: "set_policy_mode", mode: "planner" };
    await as(`/sessions/${id}/commands`, { json });
    await as(`/tokens/${created.token_id}`, { method: "DELETE" });
    const { entries } = await (await running.request("/audit")).json();
    const { token_id } = created;
    expect(entries).toMatchObject([
      { action: "POST /tokens", details: { scope: "admin", created: `/tokens/${token_id}` } },
      { action: "POST /sessions" },
      { action: "set_policy_mode", principal: "local", details: { by_token: token_id } },
      { action: "DELETE /tokens/{token_id}", details: { token_id, by_token: token_id } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(created.token);
  });
});

describe("a token to read", () => {
  test("follows over WebSocket, and commands nothing", async () => {
    const { createSession, socket, session, url, headers } = await startWith({ scope: "read" });
    const id = await createSession({ title: "mine" });
    const client = await socket(`/sessions/${id}/ws`);
    client.send({ id: 1, command: { type: "rename", title: "theirs" } });
    await client.until(() => client.messages.some((message) => message["id"] === 1));
    expect(client.messages.find((message) => message["id"] === 1)).toMatchObject({
      type: "rejected",
      error: { code: "forbidden" },
    });
    const lines = await socket(`/sessions/${id}/ws?dialect=stream-json`);
    const message = { role: "user", content: "Hello" };
    lines.websocket.send(`${JSON.stringify({ type: "user", message })}\n`);
    await lines.until(() => lines.messages.some(({ type }) => type === "error"));
    expect((await session(id)).info()).toMatchObject({ title: "mine", head: 1 });
    expect((await refusedUpgrade(`${url}/ws`, { headers })).status).toBe(403);
  });
});

describe("a token to operate", () => {
  test("creates and commands sessions, and chooses nothing that is for admins", async () => {
    const { as } = await startWith({ scope: "operate" });
    const made = await as("/sessions", { json: {} });
    expect(made.status).toBe(201);
    const { session_id: id } = await made.json();
    expect((await as(`/sessions/${id}/message`, { json: { message: "Hello" } })).status).toBe(202);
    const mode = { type: "set_permission_mode", mode: "bypassPermissions" };
    expect(await codeOf(await as(`/sessions/${id}/commands`, { json: mode }))).toBe("forbidden");
    expect(await codeOf(await as("/tokens", { json: { scope: "admin" } }))).toBe("forbidden");
  });
});

describe("a token for one session", () => {
  async function startBound(options: StartOptions = {}) {
    const running = await startServer(options);
    const [mine, other] = [await running.createSession(), await running.createSession()];
    const { token } = await create(running, { scope: "operate", session_id: mine });
    return { ...running, mine, other, ...comingWith(running, token) };
  }

  test("lists it and no other, and every other is unknown", async () => {
    const { as, mine, other, socket } = await startBound();
    const list = async (query = "") =>
      SessionList.parse(await (await as(`/sessions${query}`)).json());
    expect(await list()).toMatchObject({ sessions: [{ session_id: mine }] });
    expect(await list("?status=archived")).toEqual({ sessions: [] });
    expect((await as(`/sessions/${mine}`)).status).toBe(200);
    expect(await codeOf(await as(`/sessions/${other}`))).toBe("session_not_found");
    expect(await (await socket(`/sessions/${other}/ws`)).closed).toMatchObject({ code: 4404 });
    const client = await socket(`/sessions/${mine}/ws`);
    client.send({ id: 1, command: { type: "rename", title: "named" } });
    await client.until(() => client.messages.some(({ type }) => type === "ack"));
  });

  test("watches it and no other", async () => {
    const { read, mine, other, request } = await startBound();
    const watch = await read("/watch");
    await watch.until(() => watch.frames.length > 0);
    const rename = (id: string, title: string) =>
      request(`/sessions/${id}`, { method: "PATCH", json: { title } });
    await rename(other, "unseen");
    await rename(mine, "seen");
    await watch.until(() => watch.frames.some(({ data }) => data.includes('"seen"')));
    const text = JSON.stringify(watch.frames);
    expect(text).not.toContain(other);
  });

  test("makes no other, whatever way a fork comes", async () => {
    const { as, mine, socket, request } = await startBound();
    expect(await codeOf(await as("/sessions", { json: {} }))).toBe("forbidden");
    expect(await codeOf(await as(`/sessions/${mine}/fork`, { json: {} }))).toBe("forbidden");
    const fork = { json: { type: "fork" } };
    expect(await codeOf(await as(`/sessions/${mine}/commands`, fork))).toBe("forbidden");
    const client = await socket(`/sessions/${mine}/ws`);
    client.send({ id: 1, command: fork.json });
    await client.until(() => client.messages.some(({ type }) => type === "rejected"));
    const { sessions } = SessionList.parse(await (await request("/sessions")).json());
    expect(sessions).toHaveLength(2);
  });

  test("makes none on the host that runs it either", async () => {
    const store = createMemoryStore({ isShared: true });
    const home = await startBound({ hostOptions: { store } });
    const { token } = await create(home, { scope: "operate", session_id: home.mine });
    const away = comingWith(await startServer({ hostOptions: { store } }), token);
    expect(await codeOf(await away.as(`/sessions/${home.mine}/fork`, { json: {} }))).toBe(
      "forbidden",
    );
    expect(await codeOf(await away.as(`/sessions/${home.other}`))).toBe("session_not_found");
  });
});
