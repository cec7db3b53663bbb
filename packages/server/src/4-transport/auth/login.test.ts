import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoginList, pageKeyHeader, WireErrorBody, type LoginInfo } from "@turnwire/protocol";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { createLoginFile } from "./credential-store.ts";
import { logInBrowser } from "../test-support/browser-login.ts";
import {
  codeOf,
  metricIs,
  startServer,
  testToken,
  type RunningServer,
  type StartOptions,
} from "../test-support/running-server.ts";
import { openSocket, refusedUpgrade } from "../test-support/socket-client.ts";
import { readSse } from "../test-support/sse-reader.ts";

const DAY_MS = 24 * 3_600_000;

async function logIn(options: StartOptions = {}) {
  const clock = new ManualClock();
  const running = await startServer({ clock, ...options });
  const browser = await logInBrowser(running);
  const status = async (headers: Record<string, string> = browser.headers) =>
    (await fetch(`${running.url}/sessions`, { headers })).status;
  return { ...running, ...browser, clock, status };
}

async function reasonOf(answer: Response): Promise<unknown> {
  expect(answer.status).toBe(401);
  return WireErrorBody.parse(await answer.json()).error.details?.["reason"];
}

async function listed(
  { request }: Pick<RunningServer, "request">,
  headers: Record<string, string> = {},
): Promise<LoginInfo[]> {
  const { logins } = LoginList.parse(await (await request("/logins", { headers })).json());
  return logins;
}

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-logins-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

describe("a login link", () => {
  test("sets a cookie and answers with a key, which let in together", async () => {
    const { answer, setCookie, pageKey, status, cookie, headers, port } = await logIn();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(setCookie).toMatch(new RegExp(`^turnwire_[0-9a-f]{8}_${port}=`));
    expect(setCookie).toContain("HttpOnly");
    expect(setCookie).toContain("SameSite=Strict");
    expect(setCookie).toContain("Path=/");
    expect(setCookie).not.toContain(testToken);
    expect(setCookie).not.toContain(pageKey);
    expect(pageKey).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await status()).toBe(200);
    expect(await status({ ...headers, cookie: `a=b; ${cookie}; c=d` })).toBe(200);
  });

  test("opens a page that redeems it, so that a preview does not use it up", async () => {
    const running = await startServer();
    const link = await running.server.loginUrl();
    const page = await fetch(link, { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(page.headers.get("set-cookie")).toBeNull();
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await page.text()).toContain("localStorage");
    expect((await fetch(link, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
  });

  test("has a code of at least 128 bits, new each time", async () => {
    const { server } = await startServer();
    const codes = [await server.loginUrl(), await server.loginUrl()].map(
      (link) => link.split("/").at(-1) ?? "",
    );
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9_-]{22,}$/);
  });

  test("works once", async () => {
    const { server } = await startServer();
    const link = await server.loginUrl();
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
    const again = await fetch(link, { method: "POST" });
    expect(again.status).toBe(401);
    expect(again.headers.get("set-cookie")).toBeNull();
    expect(await codeOf(again)).toBe("unauthorized");
    expect((await fetch(link)).status).toBe(401);
  });

  test("works for ten minutes", async () => {
    const clock = new ManualClock();
    const { server } = await startServer({
      hostOptions: { store: createMemoryStore({ clock }) },
    });
    const [early, late] = [await server.loginUrl(), await server.loginUrl()];
    clock.step(599_000);
    expect((await fetch(early, { method: "POST" })).status).toBe(200);
    clock.step(1_000);
    expect((await fetch(late, { method: "POST" })).status).toBe(401);
  });

  test("cannot be redeemed by a page of another origin", async () => {
    const { server } = await startServer();
    const headers = { origin: "http://127.0.0.1:3000" };
    expect((await fetch(await server.loginUrl(), { method: "POST", headers })).status).toBe(403);
  });

  test("can be asked for by whoever holds the token, while the server runs", async () => {
    const { url, request } = await startServer();
    const asked = await request("/login", { method: "POST", json: {} });
    expect(asked.status).toBe(201);
    const { path } = (await asked.json()) as { path: string };
    expect((await fetch(url + path, { method: "POST" })).status).toBe(200);
    const stranger = await fetch(`${url}/login`, { method: "POST" });
    expect(await codeOf(stranger)).toBe("unauthorized");
  });

  test("is only for admins, and only where a token lets people in", async () => {
    const authorize = () => ({ id: "guest", isAdmin: false });
    const guests = await startServer({ auth: { type: "authorize", authorize } });
    const open = await startServer({ auth: { type: "off" } });
    for (const [method, path] of [
      ["POST", "/login"],
      ["GET", "/logins"],
      ["DELETE", "/logins"],
      ["DELETE", "/logins/x"],
      ["PATCH", "/logins/x"],
    ] as const) {
      expect(await codeOf(await guests.request(path, { method }))).toBe("forbidden");
      expect(await codeOf(await open.request(path, { method }))).toBe("not_found");
    }
  });

  test("that does not work shows a person what to do", async () => {
    const { url } = await startServer();
    const answer = await fetch(`${url}/login/none`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("npx turnwire login");
  });

  test("guessing is limited like all failures, and keeps no one with a right code out", async () => {
    const running = await startServer();
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      const guess = `${running.url}/login/guess-${count}`;
      statuses.push((await fetch(guess, { method: "POST" })).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    expect((await logInBrowser(running)).answer.status).toBe(200);
  });
});

describe("the login cookie", () => {
  test("alone opens no route, no stream and no WebSocket: other ports of the host receive it", async () => {
    const { server, url, cookie, createSession } = await logIn();
    const id = await createSession();
    const headers = { cookie, origin: url };
    for (const { method, path, access } of server.table.routes) {
      if (access === "open") continue;
      const answer = await fetch(
        `${url}${path.replace("{session_id}", id).replace(/\{[a-z_]+\}/, "x")}`,
        { method, headers },
      );
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 401`);
      expect(await reasonOf(answer)).toBe("login_incomplete");
    }
    for (const { path } of server.table.sockets) {
      const socketUrl = `${url}${path.replace("{session_id}", id)}`;
      expect((await refusedUpgrade(socketUrl, { headers })).status).toBe(401);
    }
  });

  test("and the key each say what is missing", async () => {
    const { url, cookie, headers } = await logIn();
    const { cookie: _cookie, ...keyOnly } = headers;
    const ask = async (given: Record<string, string>) =>
      reasonOf(await fetch(`${url}/sessions`, { headers: given }));
    expect(await ask({})).toBeUndefined();
    expect(await ask({ cookie })).toBe("login_incomplete");
    expect(await ask(keyOnly)).toBe("login_ended");
    expect(await ask({ cookie, [pageKeyHeader]: "wrong" })).toBe("login_ended");
  });

  test("from before there were keys is asked to log in again", async () => {
    const { url, cookie, port } = await logIn();
    const [name = ""] = cookie.split("=");
    const old = `${name.replace(`_${port}`, "")}=1767225600000.00.00`;
    const answer = await fetch(`${url}/sessions`, { headers: { cookie: old } });
    const { error } = WireErrorBody.parse(await answer.json());
    expect(error.details).toEqual({ reason: "login_incomplete" });
    expect(error.message).toContain("Log in again");
    expect(error.message).toContain("turnwire login");
  });

  test("opens a WebSocket with the key as subprotocol, for a page of ours", async () => {
    const { url, cookie, pageKey, createSession } = await logIn();
    const socketUrl = `${url}/sessions/${await createSession()}/ws`;
    const protocols = ["turnwire", `page-key.${pageKey}`];
    const refusedWith = async (headers: Record<string, string>) =>
      (await refusedUpgrade(socketUrl, { headers, protocols })).status;
    expect(await refusedWith({ cookie })).toBe(403);
    expect(await refusedWith({ cookie, origin: "http://127.0.0.1:3000" })).toBe(403);
    expect(await refusedWith({ origin: url })).toBe(401);
    const headers = { cookie, origin: url };
    const client = await openSocket(socketUrl, { headers, protocols });
    await client.until(() => client.messages.length > 0);
    expect(client.messages[0]).toMatchObject({ type: "ready" });
    expect(client.websocket.protocol).toBe("turnwire");
  });

  test("does not lend its key to another log-in", async () => {
    const running = await startServer();
    const [one, two] = [await logInBrowser(running), await logInBrowser(running)];
    const headers = { ...one.headers, cookie: two.cookie };
    expect((await fetch(`${running.url}/sessions`, { headers })).status).toBe(401);
  });

  test("cannot be changed", async () => {
    const { cookie, headers, status } = await logIn();
    const [name = "", value = ""] = cookie.split("=");
    const [id = "", secret = ""] = value.split(".");
    const forged = [`${id}.`, id, `.${secret}`, `${id}.${"0".repeat(43)}`, `x.${secret}`, ""];
    for (const claim of forged) {
      expect(await status({ ...headers, cookie: `${name}=${claim}` })).toBe(401);
    }
  });

  test("changes nothing unless a page of ours asks", async () => {
    const { url, cookie, pageKey, port } = await logIn();
    const post = async (headers: Record<string, string>) => {
      const answer = await fetch(`${url}/sessions`, {
        method: "POST",
        headers: { cookie, [pageKeyHeader]: pageKey, ...headers },
      });
      return answer.status;
    };
    expect(await post({})).toBe(403);
    expect(await post({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await post({ "sec-fetch-site": "same-site" })).toBe(403);
    expect(await post({ "sec-fetch-site": "none" })).toBe(403);
    expect(await post({ origin: "https://evil.example" })).toBe(403);
    expect(await post({ origin: "null" })).toBe(403);
    expect(await post({ origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
    expect(await post({ "sec-fetch-site": "same-origin" })).toBe(201);
    expect(await post({ origin: url })).toBe(201);
  });

  test("does not help a wrong bearer token", async () => {
    const { headers, status } = await logIn();
    expect(await status({ ...headers, authorization: "Bearer wrong" })).toBe(401);
  });

  test("is marked Secure behind a proxy that speaks TLS", async () => {
    const running = await startServer();
    const { setCookie } = await logInBrowser(running, { "x-forwarded-proto": "https" });
    expect(setCookie).toContain("; Secure");
  });
});

describe("a log-in", () => {
  test("lives on while it is used, seven days after that, and ninety days at most", async () => {
    const { clock, status } = await logIn();
    clock.step(7 * DAY_MS - 1);
    expect(await status()).toBe(200);
    clock.step(7 * DAY_MS - 1);
    expect(await status()).toBe(200);
    clock.step(7 * DAY_MS);
    expect(await status()).toBe(401);
    const second = await logIn();
    for (let day = 0; day < 89; day += 5) {
      expect(await second.status()).toBe(200);
      second.clock.step(5 * DAY_MS);
    }
    expect(await second.status()).toBe(401);
  });

  test("is listed with its name, and which one asks", async () => {
    const running = await startServer({ clock: new ManualClock() });
    const agent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36";
    const browser = await logInBrowser(running, { "user-agent": agent });
    const asked = await running.request("/login", { json: { name: "Kitchen tablet" } });
    const { path } = (await asked.json()) as { path: string };
    await fetch(running.url + path, { method: "POST" });
    const logins = await listed(running);
    expect(logins.map(({ name, is_current }) => [name, is_current])).toEqual(
      expect.arrayContaining([
        ["Chrome on Linux", false],
        ["Kitchen tablet", false],
      ]),
    );
    expect(JSON.stringify(logins)).not.toContain(browser.pageKey);
    expect(logins[0]).toMatchObject({
      created_at: "2026-01-01T00:00:00.000Z",
      last_seen_at: "2026-01-01T00:00:00.000Z",
      expires_at: "2026-01-08T00:00:00.000Z",
    });
    const own = LoginList.parse(
      await (await fetch(`${running.url}/logins`, { headers: browser.headers })).json(),
    );
    expect(own.logins.filter(({ is_current }) => is_current).map(({ name }) => name)).toEqual([
      "Chrome on Linux",
    ]);
  });

  test("can be renamed", async () => {
    const running = await logIn();
    const [{ login_id: id } = { login_id: "" }] = await listed(running);
    const rename = (name: string, login = id) =>
      running.request(`/logins/${login}`, { method: "PATCH", json: { name } });
    expect(await (await rename("Desk")).json()).toMatchObject({ login_id: id, name: "Desk" });
    expect((await listed(running))[0]?.name).toBe("Desk");
    expect((await rename(" ")).status).toBe(400);
    expect((await rename("Desk", "none")).status).toBe(404);
  });

  test("that is revoked is out at once, its streams and WebSockets too, and only its own", async () => {
    const running = await startServer();
    const { url, request } = running;
    const id = await running.createSession();
    const [one, two] = [await logInBrowser(running), await logInBrowser(running)];
    const open = async ({ headers, cookie, pageKey }: typeof one) => {
      const socket = {
        headers: { cookie, origin: url },
        protocols: ["turnwire", `page-key.${pageKey}`],
      };
      return {
        events: await readSse(`${url}/sessions/${id}/events`, headers),
        watch: await readSse(`${url}/watch`, headers),
        socket: await openSocket(`${url}/sessions/${id}/ws`, socket),
        watchSocket: await openSocket(`${url}/watch/ws`, socket),
      };
    };
    const [first, second] = [await open(one), await open(two)];
    await metricIs(running, "turnwire_subscribers", 8);
    const own = LoginList.parse(
      await (await fetch(`${url}/logins`, { headers: one.headers })).json(),
    ).logins.find(({ is_current }) => is_current);
    const revoked = await request(`/logins/${own?.login_id}`, { method: "DELETE" });
    expect(revoked.status).toBe(204);
    await first.events.ended;
    await first.watch.ended;
    expect(await first.socket.closed).toEqual({ code: 4401, reason: "unauthorized" });
    expect(await first.watchSocket.closed).toEqual({ code: 4401, reason: "unauthorized" });
    expect(
      await reasonOf(await fetch(`${url}/sessions/${id}/events`, { headers: one.headers })),
    ).toBe("login_ended");
    await metricIs(running, "turnwire_subscribers", 4);
    expect((await fetch(`${url}/sessions`, { headers: two.headers })).status).toBe(200);
    expect(second.socket.websocket.readyState).toBe(second.socket.websocket.OPEN);
    second.events.close();
    second.watch.close();
    expect((await request(`/logins/${own?.login_id}`, { method: "DELETE" })).status).toBe(404);
  });

  test("can end all others, and the token all", async () => {
    const running = await startServer();
    const browsers = [];
    for (let count = 0; count < 3; count++) browsers.push(await logInBrowser(running));
    const [one, ...others] = browsers;
    const status = async (headers: Record<string, string> = {}) =>
      (await fetch(`${running.url}/sessions`, { headers })).status;
    await fetch(`${running.url}/logins`, { method: "DELETE", headers: one?.headers ?? {} });
    expect(await status(one?.headers)).toBe(200);
    for (const { headers } of others) expect(await status(headers)).toBe(401);
    await running.request("/logins", { method: "DELETE" });
    expect(await status(one?.headers)).toBe(401);
  });

  test("ends when it logs out, which takes the cookie back", async () => {
    const { url, headers, status } = await logIn();
    const answer = await fetch(`${url}/logout`, { method: "POST", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("set-cookie")).toMatch(/^turnwire_[0-9a-f_]+=; Max-Age=0;/);
    expect(await status()).toBe(401);
  });

  test("is kept by a browser that opens a second link, and replaced where the key was lost", async () => {
    const running = await startServer();
    const first = await logInBrowser(running);
    const again = await logInBrowser(running, first.headers);
    expect(again.pageKey).toBe(first.pageKey);
    expect(again.cookie).toBe(first.cookie);
    expect(await listed(running)).toHaveLength(1);
    const replaced = await logInBrowser(running, { cookie: first.cookie });
    expect(replaced.pageKey).not.toBe(first.pageKey);
    expect(await listed(running)).toHaveLength(1);
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${running.url}/sessions`, { headers })).status;
    expect(await status(first.headers)).toBe(401);
    expect(await status(replaced.headers)).toBe(200);
  });

  test("beyond a hundred pushes out the one that was not used for longest", async () => {
    const { clock, ...running } = await logIn();
    clock.step(1_000);
    for (let count = 0; count < 100; count++) await logInBrowser(running);
    expect(await listed(running)).toHaveLength(100);
    expect(await running.status()).toBe(401);
  });
});

describe("a file of log-ins", () => {
  async function restart(directory: string, options: StartOptions = {}) {
    const auth = { type: "token", token: testToken, logins: createLoginFile(directory) } as const;
    return startServer({ auth, ...options });
  }

  test("keeps them over a restart, without their secrets, for the owner's eyes only", async () => {
    const directory = await temporaryDirectory();
    const before = await restart(directory);
    const { headers, cookie, pageKey, answer } = await logInBrowser(before);
    expect(answer.status).toBe(200);
    const path = join(directory, "logins.json");
    const text = await readFile(path, "utf8");
    expect(text).not.toContain(pageKey);
    expect(text).not.toContain(cookie.split(".").at(-1));
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    await before.server.close();
    const after = await restart(directory);
    // The cookie's name differs by port.
    const moved = cookie.replace(`_${before.port}=`, `_${after.port}=`);
    const given = { ...headers, cookie: moved, origin: after.url };
    expect((await fetch(`${after.url}/sessions`, { headers: given })).status).toBe(200);
    const [login] = await listed(after);
    await after.request(`/logins/${login?.login_id}`, { method: "DELETE" });
    await after.server.close();
    const last = await restart(directory);
    expect(await listed(last)).toEqual([]);
  });

  test("is worth nothing under another token", async () => {
    const directory = await temporaryDirectory();
    await logInBrowser(await restart(directory));
    const token = `${testToken}-another`;
    const logins = createLoginFile(directory);
    const other = await startServer({ auth: { type: "token", token, logins } });
    const answer = await other.request("/logins", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toEqual({ logins: [] });
  });

  test("that is damaged stops the start with a sentence that says what to do", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "logins.json"), "{half");
    await expect(restart(directory)).rejects.toMatchObject({
      code: "logins_damaged",
      message: expect.stringContaining("delete it"),
    });
  });

  test("that cannot be written refuses the log-in instead of forgetting it later", async () => {
    const logins = {
      load: async () => [],
      save: async () => {
        throw new Error("no space left");
      },
    };
    const running = await startServer({ auth: { type: "token", token: testToken, logins } });
    const { answer, setCookie } = await logInBrowser(running);
    expect(answer.status).toBe(500);
    expect(setCookie).toBe("");
    expect(await listed(running)).toEqual([]);
  });
});
