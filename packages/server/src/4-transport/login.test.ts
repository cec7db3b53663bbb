import { describe, expect, test } from "vitest";
import { ManualClock } from "../test-support/manual-clock.ts";
import { codeOf, startServer, testToken } from "./test-support/running-server.ts";

async function logIn(clock = new ManualClock()) {
  const running = await startServer({ clock });
  const answer = await fetch(running.server.loginUrl(), { redirect: "manual" });
  const setCookie = answer.headers.get("set-cookie") ?? "";
  const cookie = setCookie.split(";")[0] ?? "";
  return { ...running, clock, answer, setCookie, cookie };
}

describe("a login link", () => {
  test("sets a cookie that only the browser's requests carry, and leads to the first page", async () => {
    const { answer, setCookie, url, cookie } = await logIn();
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("../");
    expect(setCookie).toContain("HttpOnly");
    expect(setCookie).toContain("SameSite=Strict");
    expect(setCookie).toContain("Path=/");
    expect(setCookie).not.toContain(testToken);
    expect((await fetch(`${url}/sessions`, { headers: { cookie } })).status).toBe(200);
    const others = { cookie: `a=b; ${cookie}; c=d` };
    expect((await fetch(`${url}/sessions`, { headers: others })).status).toBe(200);
  });

  test("has a code of at least 128 bits, new each time", async () => {
    const { server } = await startServer();
    const codes = [server.loginUrl(), server.loginUrl()].map(
      (link) => link.split("/").at(-1) ?? "",
    );
    expect(new Set(codes).size).toBe(2);
    for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9_-]{22,}$/);
  });

  test("works once", async () => {
    const { server } = await startServer();
    const link = server.loginUrl();
    expect((await fetch(link, { method: "HEAD", redirect: "manual" })).status).toBe(200);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
    const again = await fetch(link, { redirect: "manual" });
    expect(again.status).toBe(401);
    expect(again.headers.get("set-cookie")).toBeNull();
    expect(await codeOf(again)).toBe("unauthorized");
  });

  test("works for ten minutes", async () => {
    const clock = new ManualClock();
    const { server } = await startServer({ clock });
    const [early, late] = [server.loginUrl(), server.loginUrl()];
    clock.step(599_000);
    expect((await fetch(early, { redirect: "manual" })).status).toBe(303);
    clock.step(1_000);
    expect((await fetch(late, { redirect: "manual" })).status).toBe(401);
  });

  test("can be asked for by whoever holds the token, while the server runs", async () => {
    const { url, request } = await startServer();
    const asked = await request("/login", { method: "POST", json: {} });
    expect(asked.status).toBe(201);
    const { path } = (await asked.json()) as { path: string };
    expect((await fetch(url + path, { redirect: "manual" })).status).toBe(303);
    const stranger = await fetch(`${url}/login`, { method: "POST" });
    expect(await codeOf(stranger)).toBe("unauthorized");
  });

  test("is only for admins, and only where a token lets people in", async () => {
    const authorize = () => ({ id: "guest", isAdmin: false });
    const guests = await startServer({ auth: { type: "authorize", authorize } });
    const refusal = await guests.request("/login", { method: "POST", json: {} });
    expect(await codeOf(refusal)).toBe("forbidden");
    const open = await startServer({ auth: { type: "off" } });
    const missing = await open.request("/login", { method: "POST", json: {} });
    expect(await codeOf(missing)).toBe("not_found");
  });

  test("that does not work shows a person what to do", async () => {
    const { url } = await startServer();
    const answer = await fetch(`${url}/login/none`, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("npx turnwire login");
  });

  test("guessing is limited like all failures", async () => {
    const { url } = await startServer();
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) {
      statuses.push((await fetch(`${url}/login/guess-${count}`)).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });
});

describe("the login cookie", () => {
  test("ends after 30 days", async () => {
    const { url, cookie, clock } = await logIn();
    const status = async () => (await fetch(`${url}/sessions`, { headers: { cookie } })).status;
    clock.step(30 * 24 * 3_600_000 - 1);
    expect(await status()).toBe(200);
    clock.step(1);
    expect(await status()).toBe(401);
  });

  test("survives a restart with the same token, and not another token", async () => {
    const { cookie } = await logIn(new ManualClock());
    const same = await startServer({ clock: new ManualClock() });
    expect((await fetch(`${same.url}/sessions`, { headers: { cookie } })).status).toBe(200);
    const token = `${testToken}-another`;
    const other = await startServer({ clock: new ManualClock(), auth: { type: "token", token } });
    expect((await fetch(`${other.url}/sessions`, { headers: { cookie } })).status).toBe(401);
  });

  test("cannot be made longer or changed", async () => {
    const { url, cookie } = await logIn();
    const [name = "", value = ""] = cookie.split("=");
    const [expiry = "", nonce = "", signature = ""] = value.split(".");
    const forged = [
      `${Number(expiry) + 1}.${nonce}.${signature}`,
      `${expiry}.${nonce}`,
      `${expiry}.${nonce}.`,
      `${expiry}.${nonce}.${"0".repeat(64)}`,
      `${expiry}..${signature}`,
    ];
    for (const claim of forged) {
      const headers = { cookie: `${name}=${claim}` };
      expect((await fetch(`${url}/sessions`, { headers })).status).toBe(401);
    }
  });

  test("changes nothing unless a page of ours asks", async () => {
    const { url, cookie, port } = await logIn();
    const post = async (headers: Record<string, string>) => {
      const answer = await fetch(`${url}/sessions`, {
        method: "POST",
        headers: { cookie, ...headers },
      });
      return answer.status;
    };
    expect(await post({})).toBe(403);
    expect(await post({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await post({ "sec-fetch-site": "same-site" })).toBe(403);
    expect(await post({ "sec-fetch-site": "none" })).toBe(403);
    expect(await post({ origin: "https://evil.example" })).toBe(403);
    expect(await post({ origin: "null" })).toBe(403);
    expect(await post({ origin: `http://localhost:${port + 1}` })).toBe(403);
    expect(await post({ "sec-fetch-site": "same-origin" })).toBe(201);
    expect(await post({ origin: `http://localhost:${port}` })).toBe(201);
  });

  test("shows nothing to a page of another site", async () => {
    const { url, cookie } = await logIn();
    const get = async (headers: Record<string, string>) =>
      (await fetch(`${url}/sessions`, { headers: { cookie, ...headers } })).status;
    expect(await get({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await get({ "sec-fetch-site": "same-site" })).toBe(403);
    expect(await get({ "sec-fetch-site": "none" })).toBe(200);
  });

  test("does not help a wrong bearer token", async () => {
    const { url, cookie } = await logIn();
    const headers = { cookie, authorization: "Bearer wrong" };
    expect((await fetch(`${url}/sessions`, { headers })).status).toBe(401);
  });

  test("is marked Secure behind a proxy that speaks TLS", async () => {
    const { server } = await startServer();
    const headers = { "x-forwarded-proto": "https" };
    const answer = await fetch(server.loginUrl(), { headers, redirect: "manual" });
    expect(answer.headers.get("set-cookie")).toContain("; Secure");
  });
});
