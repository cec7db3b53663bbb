import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";

test("after an error that may pass, one press of Retry sends the same message again, once", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "/error");
  const retry = conversation(page).getByRole("button", { name: "Retry" });
  await expectVisible(retry);
  await retry.dblclick();
  await expect.poll(() => ownMessage(page, "/error").count()).toBe(2);
  await expect.poll(() => conversation(page).getByText("The model is overloaded").count()).toBe(2);
  // Only the newest failure can be tried again.
  await expect.poll(() => retry.count()).toBe(1);
  const { events } = await server.client.sessions.eventPage(sessionId, { limit: 1000 });
  expect(events.filter(({ type }) => type === "user_message")).toHaveLength(2);
  await say(page, "hello");
  await expect.poll(() => retry.count()).toBe(0);
});

test("a turn shows when it ended, and what it changed in all", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/diff");
  await expectVisible(conversation(page).getByText(/trims the name now/));
  const footer = conversation(page).locator("footer").last();
  await expectVisible(footer.getByText(/^1 file/));
  expect(await footer.locator("time").getAttribute("datetime")).toMatch(/^\d{4}-/);
  const own = conversation(page).locator("article[aria-label=You] time");
  expect(await own.evaluate((time) => getComputedStyle(time).opacity)).toBe("0");
  await ownMessage(page, "/diff").hover();
  await expect.poll(() => own.evaluate((time) => getComputedStyle(time).opacity)).toBe("1");
});
