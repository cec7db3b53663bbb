import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { agentMessage, expectVisible, openSession, say } from "../../test-support/browser.ts";

test("a form that was half filled in is as it was after a reload, and empty once it was sent", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/form");
  const version = page.getByRole("textbox", { name: "Version" });
  await version.fill("2.0.0-rc.1");
  await page.getByRole("combobox", { name: "Channel" }).selectOption("beta");
  await page.getByRole("checkbox", { name: "Announce it" }).uncheck();
  await page.reload();
  await expect.poll(() => version.inputValue()).toBe("2.0.0-rc.1");
  expect(await page.getByRole("combobox", { name: "Channel" }).inputValue()).toBe("beta");
  expect(await page.getByRole("checkbox", { name: "Announce it" }).isChecked()).toBe(false);
  await page.getByRole("button", { name: "Prepare" }).click();
  await expect.poll(() => agentMessage(page).innerText()).toContain('"version": "2.0.0-rc.1"');
  const unsent = () =>
    page.evaluate(() =>
      Object.keys(localStorage).filter((name) => name.startsWith("turnwire.unsent.")),
    );
  expect(await unsent()).toEqual([]);
});

test("a plan that was reordered is so after a reload, and the agent gets it", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/plan-editor");
  const step = (place: number) => page.getByRole("textbox", { name: `Step ${place}` });
  await expectVisible(step(2));
  const second = await step(2).inputValue();
  await page.getByRole("button", { name: "Move step 2 up" }).click();
  await step(1).fill(`${second}, carefully`);
  await page.reload();
  await expect.poll(() => step(1).inputValue()).toBe(`${second}, carefully`);
  await page.getByRole("button", { name: "Run plan" }).click();
  await expectVisible(agentMessage(page).getByText(`I begin with “${second}, carefully”`));
});
