import { expect, test } from "vitest";
import { expectAccessible } from "../test-support/accessibility.ts";
import { startAppServer } from "../test-support/app-server.ts";
import { expectVisible, openSession, sessionRow } from "../test-support/browser.ts";

test("two sessions are open side by side, each with its own conversation and its own field", async () => {
  const server = await startAppServer();
  const { session_id: otherId } = await server.client.sessions.create({ title: "The other one" });
  const { page, sessionId } = await openSession(server, {
    title: "The first one",
    viewport: { width: 1600, height: 900 },
  });
  await sessionRow(page, "The other one")
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await page.getByRole("menuitem", { name: "Open side by side" }).click();
  await page.waitForURL(`${server.url}/s/${sessionId}?beside=${otherId}`);
  const beside = page.getByRole("region", { name: "Second session" });
  await expectVisible(beside.getByRole("heading", { name: "The other one" }));
  const field = beside.getByRole("textbox", { name: "Message", exact: true });
  await field.fill("Said at the side");
  await field.press("Enter");
  await expectVisible(
    beside.getByRole("article", { name: "You" }).getByText("Said at the side", { exact: true }),
  );
  await expectVisible(beside.getByRole("button", { name: "Send" }));
  expect(await page.title()).toBe("The first one · Turnwire");
  const { state } = await server.client.sessions.snapshot(sessionId);
  expect(state.messages).toEqual([]);
  await expectAccessible(page);
  const ids = await page.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  await page.reload();
  await expectVisible(beside.getByRole("heading", { name: "The other one" }));
  await beside.getByRole("button", { name: "Close this pane" }).click();
  await page.waitForURL(`${server.url}/s/${sessionId}`);
  await beside.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a session" }).fill("other");
  await page.keyboard.press("Control+Enter");
  await expectVisible(beside.getByRole("heading", { name: "The other one" }));
});

test("a session picked in the list leaves the one beside, which Escape closes", async () => {
  const server = await startAppServer();
  const { session_id: besideId } = await server.client.sessions.create({ title: "At the side" });
  const { session_id: thirdId } = await server.client.sessions.create({ title: "The third" });
  const { page, sessionId } = await openSession(server, { viewport: { width: 1600, height: 900 } });
  await page.goto(`${server.url}/s/${sessionId}?beside=${besideId}`);
  const beside = page.getByRole("region", { name: "Second session" });
  const field = beside.getByRole("textbox", { name: "Message", exact: true });
  await field.fill("Half a");
  await sessionRow(page, "The third").getByRole("link").click();
  await page.waitForURL(`${server.url}/s/${thirdId}?beside=${besideId}`);
  await expectVisible(page.locator("[data-pane=main]").getByRole("heading", { name: "The third" }));
  await field.press("Escape");
  await expect.poll(() => field.inputValue()).toBe("Half a");
  await field.fill("");
  await field.press("Escape");
  await page.waitForURL(`${server.url}/s/${thirdId}`);
  await beside.waitFor({ state: "detached" });
});
