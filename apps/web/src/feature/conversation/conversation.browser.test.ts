import { DemoSteps } from "@turnwire/conformance";
import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";
import { steppedServer, changesOfFirstAnswer } from "../../test-support/conversation.ts";

test("what is finished is left alone while more is written", async () => {
  const steps = new DemoSteps();
  const server = await steppedServer(steps);
  const { page } = await openSession(server);
  steps.run();
  await say(page, "/markdown");
  await expectVisible(page.getByRole("button", { name: "Copy the answer" }));
  const begun = steps.next(40);
  await say(page, "/long 5000");
  await begun;
  await expectVisible(conversation(page).getByText(/Paragraph 1 of/));
  const changes = conversation(page).evaluate(changesOfFirstAnswer);
  await steps.next(400);
  await expectVisible(conversation(page).getByText(/Paragraph 12 of/));
  await page.getByRole("button", { name: /stop/i }).click();
  await expectVisible(conversation(page).getByText("Stopped"));
  expect(await changes).toBe(0);
});

test("a page that is opened in mid-stream ends with the same picture as one that saw it all", async () => {
  const steps = new DemoSteps();
  const server = await steppedServer(steps);
  const live = await openSession(server);
  await say(live.page, "/markdown");
  await say(live.page, "/tools");
  await steps.next(20);
  await expectVisible(conversation(live.page).getByText("What markdown can do"));
  const late = await live.openTab();
  await late.page.goto(live.page.url());
  await live.page.reload();
  for (const { page } of [live, late]) {
    await expectVisible(conversation(page).getByText("What markdown can do"));
  }
  steps.run();
  for (const { page } of [live, late]) {
    await expectVisible(conversation(page).getByText("Both tests pass now."));
    await expect.poll(() => conversation(page).locator("footer button").count()).toBe(4);
  }
  const pictures = await Promise.all(
    [live, late].map(({ page }) => conversation(page).evaluate((list) => list.textContent)),
  );
  const fresh = await live.openTab();
  await fresh.page.goto(live.page.url());
  await expectVisible(conversation(fresh.page).getByText("Both tests pass now."));
  const picture = await conversation(fresh.page).evaluate((list) => list.textContent);
  expect(pictures).toEqual([picture, picture]);
});

test("a fork continues from the answer it was made at", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "First words");
  await expectVisible(page.getByRole("button", { name: "Fork from here" }));
  await say(page, "Second words");
  await expect.poll(() => page.getByRole("button", { name: "Fork from here" }).count()).toBe(2);
  await page.getByRole("button", { name: "Fork from here" }).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith(sessionId));
  await expectVisible(ownMessage(page, "First words"));
  await expect.poll(() => ownMessage(page, "Second words").count()).toBe(0);
});

test("a message can be rolled back with all after it, once that is confirmed", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  for (const words of ["First words", "Second words"]) {
    await say(page, words);
    await expectVisible(ownMessage(page, words));
    await expect.poll(() => page.getByRole("button", { name: "Send" }).count()).toBe(1);
  }
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(2);
  const rollBack = page.getByRole("button", { name: "Roll back to before this message" }).last();
  await ownMessage(page, "Second words").hover();
  await rollBack.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectVisible(ownMessage(page, "Second words"));
  await rollBack.click();
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await ownMessage(page, "Second words").waitFor({ state: "detached" });
  await expectVisible(ownMessage(page, "First words"));
});

test("an answer is read out once, when it is whole", async () => {
  const steps = new DemoSteps();
  const server = await steppedServer(steps);
  const { page } = await openSession(server);
  const region = page.locator("#main [aria-live=polite]:not([role])");
  const texts = await region.evaluateHandle((element) => {
    const texts: string[] = [];
    const options = { characterData: true, childList: true, subtree: true };
    new MutationObserver(() => texts.push(element.textContent)).observe(element, options);
    return texts;
  });
  await say(page, "/thinking");
  await steps.next(40);
  await expectVisible(conversation(page).getByText("The dependencies are"));
  expect(await texts.evaluate((all) => all)).toEqual([]);
  steps.run();
  await expectVisible(page.getByRole("button", { name: "Copy the answer" }));
  await expect.poll(() => texts.evaluate((all) => all.length)).toBeGreaterThan(0);
  expect(await texts.evaluate((all) => [...new Set(all)])).toEqual([
    "The dependencies are older than the lock file: run `npm install` once.",
  ]);
  expect(await conversation(page).getAttribute("aria-live")).toBe("off");
});
