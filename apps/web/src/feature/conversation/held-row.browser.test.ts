import { createMemoryStore } from "@turnwire/server";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startAppServer, type AppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  openApp,
  openSession,
  ownMessage,
  say,
  scrollByHand,
} from "../../test-support/browser.ts";
import { recordSession, says, turn, uses } from "../../test-support/recorded-session.ts";

/** One pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** What a frame shows can move the list, which the next one shows: a list that runs away does so at each. */
function afterFrames(page: Page, count: number): Promise<void> {
  return page.evaluate(async (frames) => {
    for (let frame = 0; frame < frames; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);
}

/** Says so much from elsewhere that all rows before it are far away. */
async function pushAway(page: Page, server: AppServer, sessionId: string): Promise<void> {
  for (let count = 1; count <= 6; count += 1) {
    await server.client.sessions.message(sessionId, { message: `/long ${30 + count}` });
    await expectVisible(conversation(page).getByText(`Paragraph ${30 + count} of ${30 + count}`));
  }
  await ownMessage(page, "Far away").waitFor({ state: "detached" });
}

function placeOf(page: Page) {
  return conversation(page).evaluate((log) => ({
    top: log.scrollTop,
    height: log.scrollHeight,
    rest: log.scrollHeight - log.scrollTop - log.clientHeight,
  }));
}

test("a question that was opened in a row stays as it is when the row is far away, and can be answered", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  for (const words of ["Far away", "Regretted"]) {
    await say(page, words);
    await expectVisible(ownMessage(page, words));
  }
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(2);
  await ownMessage(page, "Regretted").hover();
  await page.getByRole("button", { name: "Roll back to before this message" }).last().click();
  const dialog = page.getByRole("dialog", { name: "Roll back the conversation?" });
  const files = dialog.getByRole("checkbox", { name: /restore the files/ });
  await files.check();
  await pushAway(page, server, sessionId);
  await expectVisible(dialog);
  expect(await files.isChecked()).toBe(true);
  await dialog.getByRole("button", { name: "Roll back", exact: true }).click();
  await expectVisible(ownMessage(page, "Far away"));
  await expect.poll(() => ownMessage(page, "Regretted").count()).toBe(0);
});

test("closing what was opened in a row that is far away moves nothing, and leaves the focus in the conversation", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "Far away");
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(1);
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("some notes"),
  });
  await expectVisible(page.getByRole("list", { name: "Attachments" }));
  await say(page, "Read this");
  const document = conversation(page).getByRole("button", { name: "notes.txt" });
  await document.click();
  const dialog = page.getByRole("dialog", { name: "notes.txt" });
  await expectVisible(dialog.getByText("some notes"));
  await pushAway(page, server, sessionId);
  await expectVisible(dialog.getByText("some notes"));
  await expect.poll(async () => (await placeOf(page)).rest).toBeLessThan(2);
  const before = await placeOf(page);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await document.waitFor({ state: "detached" });
  await expect
    .poll(() => conversation(page).evaluate((log) => log === log.ownerDocument.activeElement))
    .toBe(true);
  expect(await placeOf(page)).toEqual(before);
});

test("a row that is kept takes the place that it had in its message, however long that is", async () => {
  const store = createMemoryStore();
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } };
  const sessionId = await recordSession(
    store,
    turn("t1", [
      ...Array.from({ length: 60 }, (_, place) => [
        says(`Part ${place + 1}. `.repeat(40), `part-${place}`),
        ...uses({ id: `u${place}`, tool: "Look", result: { output: [image] } }),
      ]).flat(),
      says("The last words.", "last"),
    ]),
  );
  const server = await startAppServer({ store });
  const { page } = await openApp(server);
  await page.goto(`${server.url}/s/${sessionId}`);
  const log = conversation(page);
  await expectVisible(log.getByText("The last words."));
  await log.getByRole("button", { name: /Look/ }).last().click();
  const open = log.getByRole("button", { name: /^Open / }).last();
  await open.click();
  const dialog = page.getByRole("dialog");
  await expectVisible(dialog);
  for (const pixels of [-1_000_000, 2_000, -1_000_000]) {
    await scrollByHand(page, pixels);
    await log.getByText("The last words.").waitFor({ state: "detached" });
    await expectVisible(dialog);
    expect(await log.getByRole("article", { name: "Agent" }).count()).toBe(1);
    await afterFrames(page, 20);
    expect((await placeOf(page)).top).toBe(Math.max(0, pixels));
  }
  await expectVisible(ownMessage(page, "go on"));
  const { height } = await placeOf(page);
  await page.keyboard.press("Escape");
  await open.waitFor({ state: "detached" });
  expect((await placeOf(page)).height).toBe(height);
});
