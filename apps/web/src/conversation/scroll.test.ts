import { createDemoRuntime, createMemoryStore } from "@turnwire/server";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startAppServer } from "../test-support/app-server.ts";
import { conversation, expectVisible, openApp, openSession, say } from "../test-support/browser.ts";
import { recordSession, says, turn, uses } from "../test-support/recorded-session.ts";

/** How far the list is from its end, in pixels. */
function restOf(log: Locator): Promise<number> {
  return log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
}

function topOf(locator: Locator): Promise<number> {
  return locator.evaluate((element) => element.getBoundingClientRect().top);
}

/** A turn that goes on until it is stopped, word by word. */
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
