import { DemoSteps } from "@turnwire/conformance";
import { demo } from "@turnwire/runtime/demo";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  openSession,
  ownMessage,
  say,
  sessionRow,
} from "../../test-support/browser.ts";

test("the status line names the command that runs, and who is waited for", async () => {
  const steps = new DemoSteps();
  const server = await startAppServer({ runtimes: [demo({ pace: steps })] });
  const { page } = await openSession(server);
  await say(page, "/tools");
  const status = page.getByRole("status");
  // The words before the command, its input piece by piece, and two lines of its output.
  await steps.next(13);
  await expectVisible(status.getByText("Running npm test").first());
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expectVisible(page.getByRole("button", { name: "Send" }));
  steps.run();
  await say(page, "/permission");
  await expectVisible(status.getByText("Waiting for you"));
});

test("context and cost are shown as the agent counts them", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/usage");
  await expectVisible(page.getByRole("meter", { name: "Context: 10k of 200k tokens" }));
  await expectVisible(page.getByRole("img", { name: "Cost: $0.0123" }));
  await expectAccessible(page);
});

test("the limit that a person should know of is shown, and all of them with the time of their reset", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/usage");
  await page.getByRole("button", { name: "5-hour limit 91% used" }).click();
  await expectVisible(page.getByText("demo plan · demo@example.com"));
  const limits = page.getByRole("list", { name: "Limits of the account" });
  const items = limits.getByRole("listitem");
  await expectVisible(items.filter({ hasText: "5-hour limit91% used" }));
  await expectVisible(items.filter({ hasText: /7-day limit40% used · resets at/ }));
  await expectAccessible(page);
});

test("what fills the context is shown when a person opens it", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/usage");
  await page.getByRole("button", { name: "10k of 200k tokens" }).click();
  const parts = page.getByRole("list", { name: "What fills the context" });
  await expectVisible(parts.getByRole("listitem").filter({ hasText: "Messages2.1k" }));
  await expectAccessible(page);
});

test("a task that outlives its turn is listed and can be stopped", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/tasks forever");
  await page.getByRole("button", { name: "1 task running" }).click();
  const tasks = page.getByRole("list", { name: "Background tasks" });
  await expectAccessible(page);
  await tasks.getByRole("button", { name: "Stop npm run build" }).click();
  await expectVisible(tasks.getByText("Stopped · Stopped by a person."));
});

test("MCP servers are listed with their status", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/mcp");
  await page.getByRole("button", { name: "MCP 1 of 2" }).click();
  const servers = page.getByRole("list", { name: "MCP servers" });
  await expectVisible(servers.getByRole("listitem").filter({ hasText: "ticketsfailed" }));
  await servers.getByRole("button", { name: "Reconnect tickets" }).click();
  await expectVisible(page.getByRole("button", { name: "MCP 2", exact: true }));
});

test("what is written offline is sent after reconnecting", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { expectedErrors: ["ERR_INTERNET_DISCONNECTED"] });
  await page.context().setOffline(true);
  await expectVisible(page.getByText("You're offline."));
  await expectAccessible(page);
  await say(page, "Written in a tunnel");
  await expectVisible(ownMessage(page, "Written in a tunnel"));
  await page.context().setOffline(false);
  await page.getByText("You're offline.").waitFor({ state: "detached" });
  await expectVisible(agentMessage(page).getByText("Written in a tunnel"));
});

test("after a restart in the middle of a turn the page comes back by itself and says how the turn ended", async () => {
  const steps = new DemoSteps();
  const server = await startAppServer({ runtimes: [demo({ pace: steps })] });
  const { page } = await openSession(server, {
    expectedErrors: ["ERR_CONNECTION_REFUSED", "WebSocket connection", "502", "503"],
  });
  await say(page, "/slow");
  await steps.next(20);
  await expectVisible(agentMessage(page));
  await server.close();
  await expectVisible(page.getByText("Disconnected. This may be out of date."));
  const { store, port, root } = server;
  await startAppServer({ store, port, root });
  await page.getByText("Disconnected.").waitFor({ state: "detached" });
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await expectVisible(conversation(page).getByText(/The server stopped while the agent worked/));
  await say(page, "Are you back?");
  await expectVisible(agentMessage(page).getByText("Are you back?"));
  await expectVisible(page.getByRole("button", { name: "Send" }));
  const text = await conversation(page).innerText();
  await page.reload();
  await expectVisible(ownMessage(page, "Are you back?"));
  await expect.poll(() => conversation(page).innerText()).toBe(text);
});

test("what happened while a person was away is marked in the list and summed up", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Left alone" });
  await say(page, "Go on without me");
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await page.getByRole("link", { name: "New session", exact: true }).click();
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
  const row = sessionRow(page, "Left alone");
  await expect.poll(() => row.getByRole("img", { name: "New since you looked" }).count()).toBe(0);
  await server.client.sessions.message(sessionId, { message: "From elsewhere" });
  await expectVisible(row.getByRole("img", { name: "New since you looked" }));
  await expectAccessible(page);
  await row.getByRole("link").click();
  await expectVisible(page.getByText("2 new messages, 1 turn done"));
  await page.getByRole("button", { name: "Dismiss the summary" }).click();
  await page.getByText("While you were away").waitFor({ state: "detached" });
});
