import { expect, test } from "vitest";
import { startAppServer, startProxiedServer } from "../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  openApp,
  openPage,
  openSession,
  ownMessage,
  say,
  sessionRow,
} from "../test-support/browser.ts";

test("the printed link logs a browser in and lands in the app, once", async () => {
  const server = await startAppServer();
  const link = await server.loginUrl();
  const { page } = await openPage();
  await page.goto(link);
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
  expect(page.url()).toBe(`${server.url}/`);
  await expectVisible(page.getByText("No sessions yet"));

  const { page: other } = await openPage({ expectedErrors: ["401", "HTTP Authentication failed"] });
  await other.goto(link);
  await expectVisible(other.getByText("This link no longer works"));
});

test("a browser that is not logged in sees how to get a link", async () => {
  const server = await startAppServer();
  const { page } = await openPage({ expectedErrors: ["401", "HTTP Authentication failed"] });
  await page.goto(`${server.url}/s/some-session`);
  await expectVisible(page.getByRole("heading", { name: "This browser is not logged in" }));
  await expectVisible(page.getByText("npx turnwire login"));
});

test("the login of another server is worth nothing here", async () => {
  const server = await startAppServer();
  const foreign = await startAppServer({
    auth: { type: "token", token: "another-token-0123456789-abcdefghijklmnopqrstuvwxyz" },
  });
  const { page } = await openPage({ expectedErrors: ["401", "HTTP Authentication failed"] });
  await page.goto(await foreign.loginUrl());
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
  await page.goto(server.url);
  await expectVisible(page.getByRole("heading", { name: "This browser is not logged in" }));
});

test("a session is made in one step, and its conversation is the same after a reload", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await page.getByRole("textbox", { name: "First message" }).fill("Hello there");
  await page.getByRole("button", { name: "Start the session" }).click();
  await page.waitForURL(/\/s\/[\w-]+$/);
  const log = conversation(page);
  await expectVisible(ownMessage(page, "Hello there"));
  await expectVisible(agentMessage(page));
  await expectVisible(page.getByRole("button", { name: "Send" }));
  const before = await log.innerText();
  await page.reload();
  await expectVisible(ownMessage(page, "Hello there"));
  await expect.poll(() => conversation(page).innerText()).toBe(before);
  const row = page.getByRole("navigation").getByRole("link", { name: /Hello there/ });
  expect(await row.getAttribute("aria-current")).toBe("page");
});

test("what is said in one tab appears in another", async () => {
  const server = await startAppServer();
  const first = await openSession(server);
  const second = await first.openTab();
  await second.page.goto(first.page.url());
  await say(first.page, "Said in the first tab");
  await expectVisible(ownMessage(second.page, "Said in the first tab"));
});

test("a session that does not exist is said to be missing", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server, { expectedErrors: ["404"] });
  await page.goto(`${server.url}/s/none`);
  await expectVisible(page.getByRole("heading", { name: "Page not found" }));
});

test("a browser can install the app: its manifest has no fault", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const browser = await page.context().newCDPSession(page);
  const { url, errors, data } = await browser.send("Page.getAppManifest");
  expect(url).toBe(`${server.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const { icons } = JSON.parse(data ?? "{}");
  for (const { src } of icons) {
    expect((await page.request.get(`${server.url}/${src}`)).status()).toBe(200);
  }
});

test("the app works under a path that the server never hears of", async () => {
  const server = await startProxiedServer({ path: "/tools/agents" });
  const { page } = await openApp(server);
  expect(page.url()).toBe(`${server.url}/`);
  await page.getByRole("textbox", { name: "First message" }).fill("Under a path");
  await page.getByRole("button", { name: "Start the session" }).click();
  await page.waitForURL(`${server.url}/s/*`);
  await expectVisible(agentMessage(page));
  await page.reload();
  await expectVisible(ownMessage(page, "Under a path"));
});

test("the app works behind a proxy that refuses WebSockets", async () => {
  const server = await startProxiedServer({ refusesUpgrades: true });
  const { page } = await openApp(server, { expectedErrors: ["WebSocket connection"] });
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.reload();
  await page.getByRole("textbox", { name: "First message" }).fill("/permission");
  await page.getByRole("button", { name: "Start the session" }).click();
  await expectVisible(ownMessage(page, "/permission"));
  await page.getByRole("button", { name: "Allow once" }).click();
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await say(page, "And the next one");
  await expectVisible(agentMessage(page).getByText("And the next one"));
  await server.client.sessions.create({ title: "Made elsewhere" });
  await expectVisible(sessionRow(page, "Made elsewhere"));
  // It tried, and gave up for all streams together.
  expect(sockets.length).toBeGreaterThan(0);
  expect(sockets.length).toBeLessThan(4);
});
