import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { agentMessage, expectVisible, openSession, say } from "../../test-support/browser.ts";

test("undoing a deletion leads back to the session", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Deleted too soon" });
  await say(page, "Keep me");
  await expectVisible(agentMessage(page).getByText(/I heard “Keep me”/));
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(sessionId));
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForURL((url) => url.pathname.endsWith(sessionId));
  await expectVisible(agentMessage(page).getByText(/I heard “Keep me”/));
});

test("a fork has a title of its own, from the menu and from an answer", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "Original" });
  await say(page, "Hello");
  await expectVisible(agentMessage(page).getByText(/I heard “Hello”/));
  await page.getByRole("button", { name: "Fork from here" }).click();
  await expectVisible(page.getByRole("heading", { name: "Fork of Original", exact: true }));
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Fork" }).click();
  await expectVisible(page.getByRole("heading", { name: "Fork of Original (2)", exact: true }));
  const { sessions } = await server.client.sessions.list();
  expect(new Set(sessions.map(({ title }) => title)).size).toBe(3);
});
