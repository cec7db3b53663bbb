import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openSession } from "../../test-support/browser.ts";
import { requestCard, untilArmed } from "../../test-support/request.ts";

test("with two sessions side by side, keys are for the one that has the focus", async () => {
  const server = await startAppServer();
  const { session_id: otherId } = await server.client.sessions.create({ title: "The other one" });
  const { page, sessionId } = await openSession(server, { viewport: { width: 1600, height: 900 } });
  await page.goto(`${server.url}/s/${sessionId}?beside=${otherId}`);
  const main = page.locator('[data-pane="main"]');
  const beside = page.locator('[data-pane="beside"]');
  const field = { name: "Message", exact: true };
  await beside.getByRole("textbox", field).fill("Written here");
  for (const id of [sessionId, otherId]) {
    await server.client.sessions.message(id, { message: "/permission" });
  }
  const card = requestCard(page, "Run this command?");
  await expectVisible(main.locator(card));
  await expectVisible(beside.locator(card));
  await page.keyboard.press("Control+.");
  await expectVisible(beside.getByText("Cancelled: the turn ended"));
  await expect.poll(() => main.locator(card).count()).toBe(1);
  await main.getByRole("textbox", field).focus();
  await page.keyboard.press("Alt+r");
  await untilArmed(card);
  await page.keyboard.press("y");
  await expectVisible(main.getByText("Allowed", { exact: true }));
  const own = main.getByRole("textbox", field);
  await expect.poll(() => own.evaluate((element) => element.matches(":focus"))).toBe(true);
});
