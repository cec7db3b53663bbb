import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer, type AppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  expectVisible,
  openApp,
  openPage,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";

const unauthorized = ["401", "HTTP Authentication failed"];

/** A server such as an agent starts on another port; it remembers what browsers sent. */
async function startDevServer() {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((incoming, outgoing) => {
    requests.push(incoming.headers);
    outgoing.setHeader("content-type", "text/html");
    outgoing.end("<title>dev server</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, requests };
}

/** The status with which an upgrade is refused, or 101. */
function upgradeStatus(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url.replace("http:", "ws:"), ["turnwire"], { headers });
    socket.on("error", () => undefined);
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.on("open", () => {
      socket.terminate();
      resolve(101);
    });
  });
}

function loginAgain(page: Page) {
  return page.getByRole("heading", { name: "Log in again" });
}

async function namesOf({ client }: AppServer): Promise<string[]> {
  const { logins } = await client.logins.list();
  return logins.map(({ name }) => name);
}

test("a server on another port receives the cookie, and can do nothing with it", async () => {
  const server = await startAppServer();
  const dev = await startDevServer();
  const { page, sessionId } = await openSession(server);
  await page.goto(dev.url);
  const cookie = dev.requests[0]?.cookie ?? "";
  expect(cookie).toContain("turnwire_");
  const attempts = [
    ["GET", "/sessions"],
    ["POST", "/sessions"],
    ["POST", "/login"],
    ["GET", "/logins"],
    ["GET", `/sessions/${sessionId}/events`],
    ["POST", `/sessions/${sessionId}/message`],
  ] as const;
  for (const [method, path] of attempts) {
    const headers = { cookie, origin: server.url };
    const answer = await fetch(`${server.url}${path}`, { method, headers });
    expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 401`);
  }
  const headers = { cookie, origin: server.url };
  expect(await upgradeStatus(`${server.url}/sessions/${sessionId}/ws`, headers)).toBe(401);
  expect(await upgradeStatus(`${server.url}/watch/ws`, headers)).toBe(401);
  // Its page cannot read the key either: storage belongs to an origin, which includes the port.
  expect(await page.evaluate("Object.keys(localStorage)")).toEqual([]);
  await page.goto(server.url);
  expect(await page.evaluate("Object.keys(localStorage)")).toContain("turnwire_page_key:/");
});

test("a logged-in browser works over WebSocket and server-sent events, after a reload and in a second tab", async () => {
  const server = await startAppServer();
  const first = await openSession(server, { expectedErrors: unauthorized });
  await say(first.page, "Over WebSocket");
  await expectVisible(agentMessage(first.page));
  await first.page.reload();
  await expectVisible(ownMessage(first.page, "Over WebSocket"));
  const second = await first.openTab();
  await second.page.goto(first.page.url());
  await expectVisible(ownMessage(second.page, "Over WebSocket"));
  const key = await second.page.evaluate<string>("localStorage.getItem('turnwire_page_key:/')");
  const streamed = await second.page.evaluate<string>(`(async () => {
    const headers = { "turnwire-page-key": ${JSON.stringify(key)} };
    const answer = await fetch("/sessions/${first.sessionId}/events", { headers });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = answer.status + " ";
    // The log may arrive in several chunks; one that ended or failed would never have it.
    while (!text.includes("Over WebSocket")) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    return text;
  })()`);
  expect(streamed).toContain("200 ");
  expect(streamed).toContain("Over WebSocket");
  const bare = await second.page.evaluate("fetch('/sessions').then(({ status }) => status)");
  expect(bare).toBe(401);
});

test("a browser that lost its storage is asked to log in again, and comes back when another tab has", async () => {
  const server = await startAppServer();
  const { page, openTab } = await openApp(server, { expectedErrors: unauthorized });
  await page.evaluate("localStorage.clear()");
  await page.reload();
  await expectVisible(loginAgain(page));
  await expectVisible(page.getByText("not the key that belongs to it"));
  await expectVisible(page.getByText("npx turnwire login"));
  await expectAccessible(page);
  const other = await openTab();
  await other.page.goto(await server.loginUrl());
  await other.page.locator("#main").waitFor();
  await page.locator("#main").waitFor();
  expect((await server.client.logins.list()).logins).toHaveLength(1);
});

test("logged-in browsers are seen, renamed and logged out by keyboard", async () => {
  const server = await startAppServer();
  const mine = await openApp(server);
  const lost = await openApp(server, { expectedErrors: unauthorized });
  const { page } = mine;
  await page.getByRole("button", { name: "Settings" }).focus();
  await page.keyboard.press("Enter");
  // The menu takes the focus when it has opened.
  await page.locator('[role^="menuitem"]:focus').waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Logged-in browsers" });
  await expectVisible(dialog.getByText("This browser", { exact: false }).first());
  await expectAccessible(page);
  const rename = dialog.getByRole("listitem").filter({ hasNotText: "This browser" });
  await rename.getByRole("button", { name: /^Rename / }).press("Enter");
  await page.keyboard.type("Lost phone");
  await page.keyboard.press("Enter");
  await expectVisible(dialog.getByRole("status").getByText("Renamed to Lost phone."));
  expect(await namesOf(server)).toContain("Lost phone");
  await dialog.getByRole("button", { name: "Log out Lost phone" }).press("Enter");
  await expectVisible(dialog.getByRole("status").getByText("Logged out Lost phone."));
  await expect.poll(() => dialog.getByRole("listitem").count()).toBe(1);
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe(
    "Logged-in browsers",
  );
  await expectVisible(loginAgain(lost.page));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("logging out clears cookie and key, in every tab", async () => {
  const server = await startAppServer();
  const first = await openApp(server, { expectedErrors: unauthorized });
  const second = await first.openTab();
  await second.page.goto(server.url);
  await second.page.locator("#main").waitFor();
  const { page } = first;
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Logged-in browsers" }).click();
  await page.getByRole("button", { name: "Log out this browser" }).click();
  await expectVisible(page.getByRole("heading", { name: "You are logged out" }));
  await expectVisible(second.page.getByRole("heading", { name: "You are logged out" }));
  expect(
    await page.evaluate("Object.keys(localStorage).filter((n) => n.includes('page_key'))"),
  ).toEqual([]);
  const cookies = await page.context().cookies(server.url);
  expect(cookies.filter(({ name }) => name.startsWith("turnwire_"))).toEqual([]);
  expect((await server.client.logins.list()).logins).toEqual([]);
  await page.reload();
  await expectVisible(page.getByRole("heading", { name: "This browser is not logged in" }));
});

test("a page through a tunnel with another port works like the server's own", async () => {
  const server = await startAppServer();
  const tcp = createTcpServer((socket) => {
    const upstream = connect(server.port, "127.0.0.1");
    socket.pipe(upstream).pipe(socket);
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
  });
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  onTestFinished(() => void tcp.close());
  const { port } = tcp.address() as AddressInfo;
  const { page } = await openPage();
  await page.goto((await server.loginUrl()).replace(`:${server.port}`, `:${port}`));
  await page.getByRole("textbox", { name: "First message" }).fill("Through a tunnel");
  await page.getByRole("button", { name: "Start the session" }).click();
  await expectVisible(ownMessage(page, "Through a tunnel"));
});
