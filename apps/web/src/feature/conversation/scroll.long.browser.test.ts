import { createMemoryStore } from "@turnwire/server";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  messageField,
  openApp,
  openSession,
  say,
  type OpenPageOptions,
} from "../../test-support/browser.ts";
import { recordSession, turn, uses } from "../../test-support/recorded-session.ts";
import { blocks, drafts, restOf } from "../../test-support/scroll.ts";

describe("the end is followed", () => {
  /** A conversation that stands at its end, with a block below it that the test can change. */
  async function atEnd(options: OpenPageOptions = {}) {
    const server = await startAppServer();
    const { page } = await openSession(server, options);
    await say(page, "/long 40");
    const log = conversation(page);
    await expectVisible(log.getByText(/Paragraph 40 of 40/));
    await log.evaluate((list) => {
      const box = document.createElement("div");
      box.dataset["box"] = "";
      box.style.height = "300px";
      list.firstElementChild?.append(box);
    });
    await expect.poll(() => restOf(log)).toBeLessThan(2);
    return { page, log };
  }

  /** Two frames: what the list does about a change is done by then. */
  function settled(log: Locator): Promise<void> {
    return log.evaluate(async () => {
      for (let count = 0; count < 3; count += 1) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    });
  }

  test("when the browser moves the position while more comes, as for rows that turn out shorter", async () => {
    const { log } = await atEnd();
    for (const [move, growth] of [
      [200, 300],
      [400, 40],
      [120, 0],
    ] as const) {
      await log.evaluate(
        (list, change) => {
          const box = list.querySelector<HTMLElement>("[data-box]");
          if (!box) return;
          box.append("more");
          box.style.height = `${box.offsetHeight + change.growth}px`;
          list.scrollTop -= change.move;
        },
        { move, growth },
      );
      await settled(log);
      expect(await restOf(log)).toBeLessThan(2);
    }
  });

  test("when the list itself changes its height, as by the keyboard of a phone", async () => {
    const { page, log } = await atEnd({ viewport: { width: 390, height: 844 } });
    for (const height of [420, 844, 600]) {
      await page.setViewportSize({ width: 390, height });
      await expect.poll(() => restOf(log)).toBeLessThan(2);
    }
    await page.setViewportSize({ width: 900, height: 600 });
    await expect.poll(() => restOf(log)).toBeLessThan(2);
  });

  test("when the message field grows with its text and shrinks after sending", async () => {
    const { page, log } = await atEnd();
    await messageField(page).fill("line\n".repeat(12));
    await expect.poll(() => restOf(log)).toBeLessThan(2);
    await messageField(page).fill("");
    await expect.poll(() => restOf(log)).toBeLessThan(2);
  });

  test("when an image gets its size late", async () => {
    const { log } = await atEnd();
    await log.evaluate(async (list) => {
      const image = new Image();
      list.querySelector("[data-box]")?.prepend(image);
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="500"/>';
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      image.style.display = "block";
      await image.decode();
      list.querySelector<HTMLElement>("[data-box]")?.style.removeProperty("height");
    });
    await settled(log);
    expect(await restOf(log)).toBeLessThan(2);
  });

  test("after a menu was opened that moves nothing", async () => {
    const { log } = await atEnd();
    await log.evaluate((list) => {
      const menu = document.createElement("button");
      menu.setAttribute("aria-expanded", "false");
      list.querySelector("[data-box]")?.append(menu);
      menu.click();
    });
    await settled(log);
    await log.evaluate((list) => {
      const box = list.querySelector<HTMLElement>("[data-box]");
      if (box) box.style.height = "900px";
    });
    await settled(log);
    expect(await restOf(log)).toBeLessThan(2);
  });

  test("after a person went back to it, although the wheel was turned a moment before", async () => {
    const { log } = await atEnd();
    await log.evaluate(async (list) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      list.dispatchEvent(new WheelEvent("wheel", { deltaY: -300 }));
      list.scrollBy(0, -300);
      await frame();
      await frame();
      list.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
      await frame();
      list.querySelector("[data-box]")?.append("more");
      list.scrollTop -= 13;
    });
    await settled(log);
    expect(await restOf(log)).toBeLessThan(2);
  });

  test("but not when a person scrolls up by wheel or key while more comes", async () => {
    const { page, log } = await atEnd();
    const grow = () =>
      log.evaluate((list) => {
        const box = list.querySelector<HTMLElement>("[data-box]");
        if (box) box.style.height = `${box.offsetHeight + 200}px`;
      });
    await log.hover();
    await page.mouse.wheel(0, -120);
    await grow();
    await expect.poll(() => restOf(log)).toBeGreaterThan(200);
    await page.keyboard.press("End");
    await log.focus();
    await page.keyboard.press("End");
    await expect.poll(() => restOf(log)).toBeLessThan(2);
    await page.keyboard.press("PageUp");
    await grow();
    await expect.poll(() => restOf(log)).toBeGreaterThan(300);
  });
});

describe("a long conversation", () => {
  test("holds still while a person scrolls up through it", async () => {
    const store = createMemoryStore();
    const sessionId = await recordSession(store, drafts);
    const server = await startAppServer({ store });
    const { page } = await openApp(server);
    await page.goto(`${server.url}/s/${sessionId}`);
    await expectVisible(conversation(page).getByText(`Block ${blocks - 1} with`));
    await expect.poll(() => restOf(conversation(page))).toBeLessThan(2);
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
    // A list that is still being filled goes to its end once it is.
    await expectVisible(conversation(page).getByText(`Block ${blocks - 1} with`));
    await expect.poll(() => restOf(conversation(page))).toBeLessThan(2);
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
    list.dispatchEvent(new WheelEvent("wheel", { deltaY: -120 }));
    list.scrollTop -= 120;
    await frame();
    await frame();
    const moved = (seen?.getBoundingClientRect().top ?? 0) - before;
    if (seen?.isConnected && Math.abs(moved - 120) > 2) jumps.push(`step ${step}: ${moved}`);
  }
  return jumps;
}
