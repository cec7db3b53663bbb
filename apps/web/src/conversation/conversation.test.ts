import { createDemoRuntime, createMemoryStore } from "@turnwire/server";
import { draft } from "@turnwire/protocol";
import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../test-support/accessibility.ts";
import { startAppServer } from "../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  openApp,
  openSession,
  ownMessage,
  say,
} from "../test-support/browser.ts";
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

test("what is finished is left alone while more is written", async () => {
  const server = await slowServer();
  const { page } = await openSession(server);
  await say(page, "/markdown");
  await expectVisible(page.getByRole("button", { name: "Copy the answer" }));
  await say(page, "/long 5000");
  await expectVisible(conversation(page).getByText(/Paragraph 1 of/));
  const changes = conversation(page).evaluate(changesOfFirstAnswer);
  await expectVisible(conversation(page).getByText(/Paragraph 12 of/));
  await page.getByRole("button", { name: /stop/i }).click();
  await expectVisible(conversation(page).getByText("Stopped"));
  expect(await changes).toBe(0);
});

/** Until the turn has been stopped: how often anything in the first answer was changed. */
function changesOfFirstAnswer(list: Element): Promise<number> {
  const answer = list.querySelector("article[aria-label=Agent]");
  let count = 0;
  const observer = new MutationObserver((records) => {
    count += records.length;
  });
  const everything = { attributes: true, characterData: true, childList: true, subtree: true };
  if (answer) observer.observe(answer, everything);
  return new Promise((resolve) => {
    const end = new MutationObserver(() => {
      if (!list.querySelector("footer")?.parentElement || !/Stopped/.test(list.textContent)) return;
      end.disconnect();
      observer.disconnect();
      resolve(count);
    });
    end.observe(list, everything);
  });
}

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

test("a page that is opened in mid-stream ends with the same picture as one that saw it all", async () => {
  const server = await slowServer();
  const live = await openSession(server);
  await say(live.page, "/markdown");
  await say(live.page, "/tools");
  await expectVisible(conversation(live.page).getByText("What markdown can do"));
  const late = await live.openTab();
  await late.page.goto(live.page.url());
  await live.page.reload();
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

test("a fork goes on from the answer it was made at", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "First words");
  await expectVisible(page.getByRole("button", { name: "Fork from here" }));
  await say(page, "Second words");
  await expect.poll(() => page.getByRole("button", { name: "Fork from here" }).count()).toBe(2);
  await page.getByRole("button", { name: "Fork from here" }).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith(sessionId));
  await expectVisible(ownMessage(page, "First words"));
  expect(await ownMessage(page, "Second words").count()).toBe(0);
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
  await page.getByRole("button", { name: "Keep it" }).click();
  await expectVisible(ownMessage(page, "Second words"));
  await rollBack.click();
  await page.getByRole("button", { name: "Roll back", exact: true }).click();
  await ownMessage(page, "Second words").waitFor({ state: "detached" });
  await expectVisible(ownMessage(page, "First words"));
});

test("answers are copied as they were written", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await say(page, "/mcp");
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await expectVisible(page.getByRole("button", { name: "Copied" }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "I go on with `files` alone.",
  );
});

test.each(["light", "dark"] as const)(
  "every kind of block is accessible in the %s theme, open and closed",
  async (colorScheme) => {
    const server = await startAppServer();
    const { page } = await openSession(server, { colorScheme });
    for (const name of ["thinking", "tools", "read", "diff", "plan", "subagents", "mcp", "error"]) {
      await say(page, `/${name}`);
    }
    await expectVisible(conversation(page).getByText(/The model is overloaded/));
    await expectAccessible(page);
    const closed = conversation(page).locator("button[aria-expanded=false]");
    for (let count = 0; count < 8 && (await closed.count()) > 0; count += 1)
      await closed.last().click();
    await expectAccessible(page);
  },
);

test("an answer is read out once, when it is whole", async () => {
  const server = await slowServer();
  const { page } = await openSession(server);
  const region = page.locator("#main [aria-live=polite]:not([role])");
  const texts = await region.evaluateHandle((element) => {
    const texts: string[] = [];
    const options = { characterData: true, childList: true, subtree: true };
    new MutationObserver(() => texts.push(element.textContent)).observe(element, options);
    return texts;
  });
  await say(page, "/thinking");
  await expectVisible(page.getByRole("button", { name: "Copy the answer" }));
  await expect.poll(() => texts.evaluate((all) => all.length)).toBeGreaterThan(0);
  expect(await texts.evaluate((all) => [...new Set(all)])).toEqual([
    "The dependencies are older than the lock file: run `npm install` once.",
  ]);
  expect(await conversation(page).getAttribute("aria-live")).toBe("off");
});

test("what a person attached is shown, with its room kept", async () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";
  const store = createMemoryStore();
  const source = { type: "base64", media_type: "image/png", data: png } as const;
  const paper = { type: "base64", media_type: "text/plain", data: btoa("words") } as const;
  const sessionId = await recordSession(store, [
    draft("user_message", {
      message_id: "m",
      delivery: "turn",
      content: [
        { type: "text", text: "Look at this" },
        { type: "image", source },
        { type: "document", title: "notes.txt", source: paper },
      ],
    }),
  ]);
  const server = await startAppServer({ store });
  const { page } = await openApp(server);
  await page.goto(`${server.url}/s/${sessionId}`);
  await expectVisible(ownMessage(page, "notes.txt"));
  const image = page.getByRole("img", { name: "Attached image" });
  expect(await image.getAttribute("width")).toBe("3");
  expect(await image.getAttribute("height")).toBe("2");
});
