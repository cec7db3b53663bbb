import { createMemoryStore } from "@turnwire/server";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  messageField,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";

const unauthorized = ["401", "HTTP Authentication failed"];

/** What the browser keeps of messages that are not sent yet. */
function keptIn(page: Page): Promise<number> {
  return page.evaluate(
    () => Object.keys(localStorage).filter((key) => key.startsWith("turnwire.unsent.")).length,
  );
}

test("a message that was sent after the log-in had ended is sent after the next one", async () => {
  const server = await startAppServer();
  const { page, openTab } = await openSession(server, { expectedErrors: unauthorized });
  await say(page, "Before");
  await expectVisible(agentMessage(page).getByText(/I heard “Before”/));
  await page.context().clearCookies();
  await say(page, "Do not lose me");
  await expectVisible(page.getByRole("button", { name: "I've opened it, continue" }));
  const other = await openTab();
  await other.page.goto(await server.loginUrl());
  await other.page.locator("#main").waitFor();
  await expectVisible(agentMessage(page).getByText(/I heard “Do not lose me”/));
  expect(await ownMessage(page, "Do not lose me").count()).toBe(1);
  await expect.poll(() => keptIn(page)).toBe(0);
});

test("a reload in the middle of sending sends the message once", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  // The server gets it, but the page never hears so.
  await page.route("**/message", async (route) => {
    await route.fetch();
    await new Promise(() => undefined);
  });
  await page.routeWebSocket(/\/ws/, () => undefined);
  await say(page, "Once, please");
  await page.unroute("**/message");
  await page.reload();
  await expect.poll(() => messageField(page).inputValue()).toBe("");
  await expectVisible(agentMessage(page).getByText(/I heard “Once, please”/));
  expect(await ownMessage(page, "Once, please").count()).toBe(1);
  await expect.poll(() => keptIn(page)).toBe(0);
});

test("a message that did not leave before a reload is sent after it", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { expectedErrors: ["ERR_FAILED"] });
  await page.route("**/message", (route) => route.abort());
  await say(page, "Still here");
  await expectVisible(ownMessage(page, "Still here"));
  await page.reload();
  await page.unroute("**/message");
  await page.reload();
  await expectVisible(agentMessage(page).getByText(/I heard “Still here”/));
  expect(await ownMessage(page, "Still here").count()).toBe(1);
});

test("a refused message is still there after a reload, to be sent or discarded, in every tab", async () => {
  const server = await startAppServer();
  const { page, openTab } = await openSession(server, { expectedErrors: ["400"] });
  const error = { code: "invalid_request", message: "Not today", retryable: false };
  await page.route("**/message", (route) => route.fulfill({ status: 400, json: { error } }));
  await say(page, "Think again");
  await expectVisible(conversation(page).getByText("Not sent: Not today"));
  await page.unroute("**/message");
  await page.reload();
  await expectVisible(conversation(page).getByText("Not sent: Not today"));
  const second = await openTab();
  await second.page.goto(page.url());
  await second.page.getByRole("button", { name: "Try again" }).click();
  await expectVisible(agentMessage(second.page).getByText(/I heard “Think again”/));
  await page.reload();
  await expectVisible(agentMessage(page).getByText(/I heard “Think again”/));
  expect(await ownMessage(page, "Think again").count()).toBe(1);
  expect(await page.getByRole("button", { name: "Discard" }).count()).toBe(0);
});

test("a message that was sent while the server was down is sent once it is back", async () => {
  const store = createMemoryStore();
  const server = await startAppServer({ store });
  const { page } = await openSession(server, { expectedErrors: ["ERR_CONNECTION", "WebSocket"] });
  await say(page, "Before");
  await expectVisible(agentMessage(page).getByText(/I heard “Before”/));
  await server.close();
  await say(page, "While down");
  await expectVisible(ownMessage(page, "While down"));
  await startAppServer({ store, port: server.port, root: server.root });
  const again = page.getByRole("button", { name: "Try again" });
  const answer = agentMessage(page).getByText(/I heard “While down”/);
  await again.or(answer).first().waitFor();
  if (await again.isVisible()) await again.click();
  await expectVisible(answer);
  expect(await ownMessage(page, "While down").count()).toBe(1);
});
