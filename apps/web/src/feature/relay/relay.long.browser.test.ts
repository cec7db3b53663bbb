import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp } from "../../test-support/browser.ts";
import { startScriptedRelay } from "../../test-support/scripted-relay.ts";
import { init, relayButton, relayDialog } from "../../test-support/relay-dialog.ts";

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
  const server = await startAppServer({ hasRelay: true });
  const port = server.relayPort;
  const { page } = await openApp(server);
  await relayButton(page).click();
  const dialog = relayDialog(page);
  await expectVisible(dialog.getByText("It belongs to this server"));
  await expectVisible(dialog.getByText(`ws://127.0.0.1:${port}/ws`, { exact: true }));
  await expectVisible(dialog.getByText(`claude --sdk-url ws://127.0.0.1:${port}`));
  expect(await dialog.getByRole("link").count()).toBe(0);
});

test("the sessions of another server's open relay are shown, with the way to its web app", async () => {
  const other = await startAppServer({ auth: { type: "off" }, hasRelay: true });
  const { session_id } = await other.client.sessions.create({ title: "Elsewhere" });
  await other.client.sessions.message(session_id, { message: "/markdown" });
  const server = await startAppServer({ relayPorts: [other.relayPort ?? 0] });
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
