import { demo } from "@turnwire/runtime/demo";
import { DemoSteps } from "@turnwire/conformance";
import { createMemoryStore } from "@turnwire/server";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer, type AppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  openApp,
  openSession,
  ownMessage,
  say,
  scrollByHand,
  sessionRow,
  type OpenPageOptions,
} from "../../test-support/browser.ts";
import { recordSession } from "../../test-support/recorded-session.ts";
import { blocks, drafts, restOf, topOf } from "../../test-support/scroll.ts";

/** A server whose agent speaks as many words as the test says. */
function steppedServer(steps: DemoSteps) {
  return startAppServer({ runtimes: [demo({ pace: steps })] });
}

describe("the end of the conversation", () => {
  test("stays in sight while an answer grows", async () => {
    const server = await startAppServer();
    const { page } = await openSession(server);
    await say(page, "/long 60");
    await expectVisible(conversation(page).getByText(/Paragraph 60 of 60/));
    await expect.poll(() => restOf(conversation(page))).toBeLessThan(2);
  });

  test("is left by scrolling up: what is read holds still, and a button leads back", async () => {
    const steps = new DemoSteps();
    const server = await steppedServer(steps);
    const { page } = await openSession(server);
    await say(page, "/long 5000");
    const log = conversation(page);
    await steps.next(1_000);
    await expectVisible(conversation(page).getByText(/Paragraph 30 of/));
    await expect.poll(() => restOf(log)).toBeLessThan(2);
    await log.hover();
    await page.mouse.wheel(0, -300);
    await expectVisible(page.getByRole("button", { name: /Go to the newest message/ }));
    const read = log.getByText(/Paragraph 20 of/);
    await read.waitFor();
    const before = await topOf(read);
    const height = await log.evaluate((list) => list.scrollHeight);
    await steps.next(500);
    await expect
      .poll(() => log.evaluate((list) => list.scrollHeight))
      .toBeGreaterThan(height + 300);
    expect(await topOf(read)).toBe(before);
    await page.getByRole("button", { name: /Go to the newest message/ }).click();
    await expect.poll(() => restOf(log)).toBeLessThan(60);
    await page.getByRole("button", { name: /stop/i }).click();
  });

  test("counts what came while a person read above", async () => {
    const server = await startAppServer();
    const { page, sessionId } = await openSession(server);
    await say(page, "/long 60");
    await expectVisible(conversation(page).getByText(/Paragraph 60 of 60/));
    await conversation(page).hover();
    await page.mouse.wheel(0, -900);
    await expectVisible(page.getByRole("button", { name: "Go to the newest message" }));
    await server.client.sessions.message(sessionId, { message: "/plan" });
    await expectVisible(page.getByRole("button", { name: "Go to the newest message, 2 new" }));
  });

  test("is not pulled away from what a person opens there", async () => {
    const server = await startAppServer();
    const { page } = await openSession(server);
    await say(page, "/long 30");
    await say(page, "/huge 1");
    await expectVisible(conversation(page).getByText(/Nobody reads that/));
    const line = conversation(page).getByRole("button", { name: /cat big.log/ });
    await expect.poll(() => restOf(conversation(page))).toBeLessThan(2);
    const before = await topOf(line);
    await line.click();
    await expectVisible(conversation(page).getByText(/This line is here/));
    expect(await topOf(line)).toBe(before);
  });
});

describe("sending", () => {
  const back = (page: Page) => page.getByRole("button", { name: /Go to the newest message/ });

  async function longSession(options: OpenPageOptions = {}) {
    const server = await startAppServer();
    const opened = await openSession(server, options);
    await say(opened.page, "/long 40");
    await expectVisible(conversation(opened.page).getByText(/Paragraph 40 of 40/));
    await expect.poll(() => restOf(conversation(opened.page))).toBeLessThan(2);
    return { server, ...opened };
  }

  test.each([200, 100_000])(
    "goes to the end and follows the answer from %i pixels above it",
    async (pixels) => {
      const { page } = await longSession();
      const log = conversation(page);
      await scrollByHand(page, -pixels);
      await expectVisible(back(page));
      await say(page, "/long 41");
      await expectVisible(log.getByText(/Paragraph 41 of 41/));
      await expect.poll(() => restOf(log)).toBeLessThan(2);
      await expect.poll(() => back(page).count()).toBe(0);
    },
  );

  test("goes to the end after a row was opened there", async () => {
    const { page } = await longSession();
    const log = conversation(page);
    await say(page, "/huge 1");
    await expectVisible(log.getByText(/Nobody reads that/));
    await log.getByRole("button", { name: /cat big.log/ }).click();
    await expectVisible(back(page));
    await say(page, "/long 41");
    await expectVisible(log.getByText(/Paragraph 41 of 41/));
    await expect.poll(() => restOf(log)).toBeLessThan(2);
  });

  test("goes to the end while a turn runs, although the message waits for its turn", async () => {
    const { page } = await longSession();
    const log = conversation(page);
    await say(page, "/question");
    await expectVisible(page.getByRole("button", { name: "Skip" }));
    await scrollByHand(page, -600);
    await expectVisible(back(page));
    await say(page, "later");
    await back(page).waitFor({ state: "detached" });
    await expect.poll(() => restOf(log)).toBeLessThan(2);
  });

  test("in another window is not counted as new, and moves nobody who reads above", async () => {
    const { page, openTab } = await longSession();
    const log = conversation(page);
    await scrollByHand(page, -600);
    await expectVisible(back(page));
    const place = await log.evaluate((list) => list.scrollTop);
    const other = await openTab();
    await other.page.goto(page.url());
    await say(other.page, "/plan");
    await expectVisible(page.getByRole("button", { name: "Go to the newest message, 2 new" }));
    expect(await log.evaluate((list) => list.scrollTop)).toBe(place);
  });
});

test("what is read stays where it is when rows above it change their height", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const log = conversation(page);
  for (const count of [20, 21, 22]) {
    await say(page, `/long ${count}`);
    await expectVisible(log.getByText(`Paragraph ${count} of ${count}`, { exact: false }));
  }
  await scrollByHand(page, -900);
  await expectVisible(page.getByRole("button", { name: /Go to the newest message/ }));
  const read = ownMessage(page, "/long 22");
  const before = await topOf(read);
  await log.evaluate((list) => {
    const above = list.querySelector<HTMLElement>("[data-index]");
    if (above) above.style.paddingBottom = "240px";
  });
  await expect.poll(() => topOf(read)).toBe(before);
});

describe("a line above what came while a person was away", () => {
  /** Leaves the session, lets others continue it, and comes back. */
  async function missOut(server: AppServer, page: Page, sessionId: string): Promise<void> {
    await page.getByRole("link", { name: "New session", exact: true }).click();
    await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
    await server.client.sessions.message(sessionId, { message: "/long 61" });
    const row = sessionRow(page, "Left alone");
    await expectVisible(row.getByRole("img", { name: "New since you looked" }));
    await row.getByRole("link").click();
    await expectVisible(
      conversation(page)
        .getByText(/Paragraph 61 of 61/)
        .last(),
    );
  }

  test("goes once the end was reached again, and moves nothing", async () => {
    const server = await startAppServer();
    const { page, sessionId } = await openSession(server, { title: "Left alone" });
    await say(page, "/long 40");
    await expectVisible(conversation(page).getByText(/Paragraph 40 of 40/));
    await missOut(server, page, sessionId);
    const line = page.getByRole("separator", { name: "New since you were away" });
    await expectVisible(line);
    const log = conversation(page);
    await log.focus();
    await page.keyboard.press("Home");
    await expectVisible(page.getByRole("button", { name: /Go to the newest message/ }));
    const gap = (await topOf(ownMessage(page, "/long 61"))) - (await topOf(line));
    expect(gap).toBeGreaterThan(0);
    const height = await log.evaluate((list) => list.scrollHeight);
    await page.keyboard.press("End");
    await line.waitFor({ state: "detached" });
    expect(await log.evaluate((list) => list.scrollHeight)).toBe(height);
  });

  test("goes when they say something", async () => {
    const server = await startAppServer();
    const { page, sessionId } = await openSession(server, { title: "Left alone" });
    await say(page, "/long 40");
    await expectVisible(conversation(page).getByText(/Paragraph 40 of 40/));
    await missOut(server, page, sessionId);
    const line = page.getByRole("separator", { name: "New since you were away" });
    await expectVisible(line);
    await line.scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await say(page, "I am back");
    await line.waitFor({ state: "detached" });
  });
});

describe("a long conversation", () => {
  test("is only there as far as it is in sight, and all of it can be reached", async () => {
    const store = createMemoryStore();
    const sessionId = await recordSession(store, drafts);
    const server = await startAppServer({ store });
    const { page } = await openApp(server);
    await page.goto(`${server.url}/s/${sessionId}`);
    await expectVisible(conversation(page).getByText(`Block ${blocks - 1} with`));
    const paragraphs = conversation(page).locator("p");
    expect(await paragraphs.count()).toBeLessThan(150);
    await conversation(page).focus();
    await page.keyboard.press("Home");
    await expectVisible(conversation(page).getByText("Block 0 with"));
    expect(await paragraphs.count()).toBeLessThan(150);
    await page.keyboard.press("End");
    await expectVisible(conversation(page).getByText(`Block ${blocks - 1} with`));
    await expect.poll(() => restOf(conversation(page))).toBeLessThan(2);
  });
});
