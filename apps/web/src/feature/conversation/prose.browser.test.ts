import { createMemoryStore } from "@turnwire/server";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  messageField,
  openApp,
  openSession,
  ownMessage,
  say,
  type OpenPageOptions,
} from "../../test-support/browser.ts";
import { recordSession, says, turn } from "../../test-support/recorded-session.ts";

/** A page that shows this answer. */
async function showAnswer(text: string, options: OpenPageOptions = {}) {
  const store = createMemoryStore();
  const sessionId = await recordSession(store, turn("t", [says(`${text}\n\nThat is all.`)]));
  const server = await startAppServer({ store });
  const { page } = await openApp(server, options);
  await page.goto(`${server.url}/s/${sessionId}`);
  await expectVisible(conversation(page).getByText("That is all."));
  return page;
}

const options = `| Option | Effort | Risk | Description |
|---|---|---|---|
| Rewrite everything | 12 days | moderate | Replaces the whole module |
| Incremental | 3 days | negligible | One function after the other |`;

const wide = `| ${Array.from({ length: 18 }, (_, index) => `column${index}`).join(" | ")} |
|${"---|".repeat(18)}
| ${Array.from({ length: 18 }, () => "value words").join(" | ")} |`;

/** Words that stand on more than one line. */
function brokenWords(table: Element): string[] {
  const broken: string[] = [];
  const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { index, 0: word } of (node.textContent ?? "").matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
    }
  }
  return broken;
}

test.each([
  ["an ordinary table on a phone", options, 390],
  ["18 columns on a desktop", wide, 1280],
  ["18 columns on a phone", wide, 390],
])("the words of %s stay whole", async (_name, text, width) => {
  const page = await showAnswer(text, { viewport: { width, height: 800 } });
  const table = conversation(page).getByRole("table");
  expect(await table.evaluate(brokenWords)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await expectAccessible(page);
});

test("a table that is too wide is scrolled by keyboard, and shows that there is more", async () => {
  const page = await showAnswer(wide, { viewport: { width: 390, height: 800 } });
  const region = conversation(page).getByRole("region", { name: "Table" });
  await region.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => region.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  const { image, attachment } = await region.evaluate((element) => {
    const { backgroundImage, backgroundAttachment } = getComputedStyle(element);
    return { image: backgroundImage, attachment: backgroundAttachment };
  });
  expect(image).toContain("radial-gradient");
  expect(attachment).toBe("local, local, scroll, scroll");
});

test("a word that is longer than any column does not make a table endless", async () => {
  const page = await showAnswer(`| a | b |\n|---|---|\n| ${"x".repeat(2_000)} | y |`);
  const table = conversation(page).getByRole("table");
  expect(await table.evaluate((element) => element.clientWidth)).toBeLessThan(700);
});

test("what is written from right to left is shown so, whoever wrote it", async () => {
  const page = await showAnswer(
    "مرحبا بالعالم.\n\n- البند الأول.\n- The second item.\n\n> اقتباس.\n\n| الاسم | b |\n|---|---|\n| تفاح | 12 |",
  );
  const directionOf = (selector: string) =>
    conversation(page)
      .locator(selector)
      .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
  expect(await directionOf("p:text('مرحبا')")).toEqual(["rtl"]);
  expect(await directionOf("li")).toEqual(["rtl", "ltr"]);
  expect(await directionOf("blockquote, table")).toEqual(["rtl", "rtl"]);
  expect(await directionOf("p:text('That is all')")).toEqual(["ltr"]);
});

test("a person's own words run in their direction, in the field and in the conversation", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const field = messageField(page);
  await field.fill("مرحبا.");
  expect(await field.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  await say(page, "مرحبا.");
  const own = ownMessage(page, "مرحبا.");
  // What was recorded takes the place of what was being sent.
  await expect
    .poll(() => own.evaluate((element) => getComputedStyle(element).direction))
    .toBe("rtl");
});
