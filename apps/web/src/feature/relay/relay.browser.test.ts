import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp, openPage } from "../../test-support/browser.ts";
import { startScriptedRelay } from "../../test-support/scripted-relay.ts";
import { init, relayButton, relayDialog } from "../../test-support/relay-dialog.ts";

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
