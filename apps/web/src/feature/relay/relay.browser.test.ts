import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp, openPage } from "../../test-support/browser.ts";
import { startScriptedRelay } from "../../test-support/scripted-relay.ts";

const init = {
  type: "system",
  subtype: "init",
  session_id: "692f1c2a-1111-4222-8333-944445555666",
  model: "claude-sonnet-4-6",
  cwd: "/srv/shop",
};

function relayButton(page: Page) {
  return page.getByRole("button", { name: /^\d relays?$/ });
}

function relayDialog(page: Page) {
  return page.getByRole("dialog", { name: "Relays on this machine" });
}

test("a relay on this machine appears with its sessions, and disappears with it", async () => {
  const relay = await startScriptedRelay();
  const server = await startAppServer({ relayPorts: [relay.port] });
  const { page } = await openApp(server);
  await expectVisible(page.getByRole("button", { name: "1 relay", exact: true }));
  await expect.poll(relay.frontEnds).toBe(1);
  await relayButton(page).press("Enter");
  const dialog = relayDialog(page);
  await expectVisible(
    dialog.getByRole("heading", { name: `agents-ui relay on port ${relay.port}` }),
  );
  await expectVisible(dialog.getByText("other machines may reach it"));
  await expectVisible(dialog.getByText("No session yet."));
  relay.say(init, { type: "assistant", session_id: init.session_id });
  const row = dialog.getByRole("listitem").filter({ hasText: "shop" });
  await expectVisible(row.getByText("claude-sonnet-4-6 · 692f1c2a…"));
  await expectVisible(row.getByText("Connected", { exact: true }));
  relay.say({ type: "status", text: "claude code disconnected" });
  await expectVisible(row.getByText("Disconnected"));
  await relay.close();
  await expectVisible(dialog.getByText("No relay answers any more."));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await relayButton(page).count()).toBe(0);
});

test("a relay that was started again is found again", async () => {
  const first = await startScriptedRelay();
  const server = await startAppServer({ relayPorts: [first.port] });
  const { page } = await openApp(server);
  await relayButton(page).waitFor();
  await expect.poll(first.frontEnds).toBe(1);
  await first.close();
  await relayButton(page).waitFor({ state: "detached" });
  const second = await startScriptedRelay({ port: first.port });
  await relayButton(page).waitFor();
  await expect.poll(second.frontEnds).toBe(1);
});

test("a session that this server has too is opened from there", async () => {
  const relay = await startScriptedRelay();
  const server = await startAppServer({ relayPorts: [relay.port] });
  const { session_id } = await server.client.sessions.create({ title: "The same session" });
  const { page } = await openApp(server);
  await relayButton(page).click();
  await expect.poll(relay.frontEnds).toBe(1);
  relay.say({ ...init, session_id });
  await relayDialog(page).getByRole("link", { name: "The same session" }).click();
  await relayDialog(page).waitFor({ state: "detached" });
  expect(page.url()).toBe(`${server.url}/s/${session_id}`);
});

test("this server's own relay says how front ends and CLIs reach it", async () => {
  const server = await startAppServer();
  const port = await server.openRelay();
  const { page } = await openApp(server);
  await relayButton(page).click();
  const dialog = relayDialog(page);
  await expectVisible(dialog.getByText("It belongs to this server"));
  await expectVisible(dialog.getByText(`ws://127.0.0.1:${port}/ws`, { exact: true }));
  await expectVisible(dialog.getByText(`claude --sdk-url ws://127.0.0.1:${port}`));
  expect(await dialog.getByRole("link").count()).toBe(0);
});

test("the sessions of another server's open relay are shown, with the way to its web app", async () => {
  const other = await startAppServer({ auth: { type: "off" } });
  const port = await other.openRelay();
  const { session_id } = await other.client.sessions.create({ title: "Elsewhere" });
  await other.client.sessions.message(session_id, { message: "/markdown" });
  const server = await startAppServer({ relayPorts: [port] });
  const { page } = await openApp(server);
  await relayButton(page).click();
  const row = relayDialog(page).getByRole("listitem");
  await expectVisible(row.getByText("Connected", { exact: true }));
  const link = relayDialog(page).getByRole("link", { name: "Open its web app" });
  expect(await link.getAttribute("href")).toBe(other.url);
});

test("a relay with a token is named and left alone", async () => {
  const relay = await startScriptedRelay({
    greeting: {
      status: 200,
      headers: { "turnwire-relay": "auth=token&host=other&web=http%3A%2F%2F127.0.0.1%3A4999" },
      body: "This is a Turnwire relay.",
    },
  });
  const server = await startAppServer({ relayPorts: [relay.port] });
  const { page } = await openApp(server);
  await relayButton(page).click();
  const dialog = relayDialog(page);
  await expectVisible(dialog.getByText("It needs a token"));
  const link = dialog.getByRole("link", { name: "Open its web app" });
  expect(await link.getAttribute("href")).toBe("http://127.0.0.1:4999");
  expect(await link.getAttribute("target")).toBe("_blank");
  expect(relay.frontEnds()).toBe(0);
});

test("a page on another machine neither asks nor connects", async () => {
  const relay = await startScriptedRelay();
  const server = await startAppServer({
    relayPorts: [relay.port],
    allowedHosts: ["agents.localhost"],
  });
  const asked: string[] = [];
  const { page } = await openPage();
  await page.goto((await server.loginUrl()).replace("127.0.0.1", "agents.localhost"));
  await page.locator("#main").waitFor();
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.reload();
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
  expect(asked).toContain("/runtimes");
  expect(asked).not.toContain("/relays");
  expect(relay.frontEnds()).toBe(0);
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test("the relays are accessible, also on a phone", async () => {
    const relays = await Promise.all([startScriptedRelay(), startScriptedRelay()]);
    const server = await startAppServer({ relayPorts: relays.map(({ port }) => port) });
    const { page } = await openApp(server, { colorScheme });
    await page.getByRole("button", { name: "2 relays" }).click();
    await expect.poll(() => relays.map(({ frontEnds }) => frontEnds())).toEqual([1, 1]);
    relays[0].say(init, { ...init, session_id: "b7", cwd: `/srv/${"long-name-".repeat(20)}` });
    await expectVisible(relayDialog(page).getByText("shop"));
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 800 });
    const isWide = await relayDialog(page).evaluate(
      (dialog) => dialog.scrollWidth > dialog.clientWidth,
    );
    expect(isWide).toBe(false);
    await expectAccessible(page);
  });
});
