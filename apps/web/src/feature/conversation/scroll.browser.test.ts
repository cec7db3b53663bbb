import { createDemoRuntime, createMemoryStore } from "@turnwire/server";
import type { Locator, Page } from "playwright-core";
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
  sessionRow,
} from "../../test-support/browser.ts";
import { recordSession, says, turn, uses } from "../../test-support/recorded-session.ts";

/** How far the list is from its end, in pixels. */
function restOf(log: Locator): Promise<number> {
  return log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
}

function topOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => element.getBoundingClientRect().top);
}

/** A turn that continues until it is stopped, word by word. */
function slowServer() {
  return startAppServer({ runtimes: [createDemoRuntime({ delayMs: 2 })] });
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
    const server = await slowServer();
    const { page } = await openSession(server);
    await say(page, "/long 5000");
    const log = conversation(page);
    await expectVisible(conversation(page).getByText(/Paragraph 30 of/));
    await log.hover();
    await page.mouse.wheel(0, -300);
    await expectVisible(page.getByRole("button", { name: /Go to the newest message/ }));
    const read = log.getByText(/Paragraph 20 of/);
    const before = await topOf(read);
    const height = await log.evaluate((list) => list.scrollHeight);
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
    await expectVisible(page.getByRole("button", { name: "Go to the newest message, 3 new" }));
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

describe("a line above what came while a person was away", () => {
  /** Leaves the session, lets others continue it, and comes back. */
  async function missOut(server: AppServer, page: Page, sessionId: string): Promise<void> {
    await page.getByRole("link", { name: "New session" }).click();
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
  const blocks = 10_000;
  const drafts = Array.from({ length: blocks / 20 }, (_, index) =>
    turn(
      `t${index}`,
      Array.from({ length: 20 }, (_empty, place) =>
        says(`Block ${index * 20 + place} with some words in it.\n\n`, `m${index}-${place}`),
      ),
    ),
  ).flat();

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

  test("holds still while a person scrolls up through it", async () => {
    const store = createMemoryStore();
    const sessionId = await recordSession(store, drafts);
    const server = await startAppServer({ store });
    const { page } = await openApp(server);
    await page.goto(`${server.url}/s/${sessionId}`);
    await expectVisible(conversation(page).getByText(`Block ${blocks - 1} with`));
    await conversation(page).hover();
    const jumps = await conversation(page).evaluate(scrollUpByHand);
    expect(jumps).toEqual([]);
  });

  test("keeps what was opened when it comes into sight again", async () => {
    const store = createMemoryStore();
    const tool = uses({
      id: "a",
      tool: "Shell",
      start: { command: "ls" },
      result: { output: "b" },
    });
    const sessionId = await recordSession(store, [...turn("first", tool), ...drafts]);
    const server = await startAppServer({ store });
    const { page } = await openApp(server);
    await page.goto(`${server.url}/s/${sessionId}`);
    await conversation(page).focus();
    await page.keyboard.press("Home");
    const line = page.getByRole("button", { name: /^Shell ls/ });
    await line.click();
    await page.keyboard.press("End");
    await expectVisible(conversation(page).getByText(`Block ${blocks - 1} with`));
    await expect.poll(() => line.count()).toBe(0);
    await page.keyboard.press("Home");
    await expectVisible(page.getByLabel("Output"));
  });
});

/** Scrolls up step by step; answers with the steps by which something in sight moved otherwise. */
async function scrollUpByHand(list: Element): Promise<string[]> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const jumps: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    const middle = list.getBoundingClientRect().top + list.clientHeight / 2;
    const seen = [...list.querySelectorAll("p")].find(
      (one) => one.getBoundingClientRect().top > middle,
    );
    const before = seen?.getBoundingClientRect().top ?? 0;
    list.scrollTop -= 120;
    await frame();
    await frame();
    const moved = (seen?.getBoundingClientRect().top ?? 0) - before;
    if (seen?.isConnected && Math.abs(moved - 120) > 2) jumps.push(`step ${step}: ${moved}`);
  }
  return jumps;
}
