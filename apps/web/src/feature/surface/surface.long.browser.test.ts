import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  messageField,
  openSession,
  say,
} from "../../test-support/browser.ts";
import { place } from "../../test-support/surface.ts";

test("where there is no room the place that changed last is shown, and the others are one step away", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { viewport: { width: 390, height: 844 } });
  await say(page, "/components");
  await expectVisible(place(page, "Panel"));
  await say(page, "/canvas");
  await expectVisible(place(page, "Canvas"));
  await place(page, "Panel").waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Panel 1" }).click();
  await expectVisible(place(page, "Panel"));
  await place(page, "Canvas").waitFor({ state: "hidden" });
  await expectVisible(page.getByRole("button", { name: "Canvas 3" }));
  await expectAccessible(page);
  await place(page, "Panel").getByRole("button", { name: "Hide the panel" }).click();
  await expectVisible(place(page, "Canvas"));
});

test("in a page from right to left the panel is on the other side, is resized there, and code stays as it is", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await page.evaluate(() => {
    document.documentElement.dir = "rtl";
  });
  await say(page, "/canvas");
  const panel = place(page, "Canvas");
  await expectVisible(panel.getByRole("group", { name: "What made it faster" }));
  const [box, field] = [await panel.boundingBox(), await messageField(page).boundingBox()];
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(field?.x ?? 0);
  await panel.getByRole("separator").press("ArrowRight");
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe((box?.width ?? 0) + 24);
  const directions = await panel
    .locator("table td, pre, code")
    .filter({ hasText: "export function" })
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
  expect(new Set(directions)).toEqual(new Set(["ltr"]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
});

test("a step that is added to a plan is written at once, blanks and all", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/plan-editor");
  const panel = place(page, "Panel");
  const add = panel.getByRole("button", { name: "Add a step" });
  await expectVisible(add);
  const before = await panel.getByRole("textbox").count();
  await add.click();
  await page.keyboard.type("Tell everybody about it");
  const added = panel.getByRole("textbox", { name: `Step ${before + 1}` });
  await expect.poll(() => added.inputValue()).toBe("Tell everybody about it");
  expect(await panel.getByRole("textbox").count()).toBe(before + 1);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await panel.getByRole("button", { name: "Move step 2 up" }).click();
  await expect.poll(focused).toBe("Step 1");
  await panel.getByRole("button", { name: `Remove step ${before + 1}` }).click();
  await expect.poll(focused).toBe(`Step ${before}`);
  await panel.getByRole("button", { name: "Run plan" }).click();
  await expectVisible(agentMessage(page).getByText(`Steps in all: ${before}.`, { exact: false }));
});

test("a form over the conversation takes the focus, Escape puts it away, and its card stays in sight", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/form");
  const form = page.getByRole("dialog", { name: "From the agent" });
  const hasFocus = () => form.evaluate((element) => element === document.activeElement);
  await expect.poll(hasFocus).toBe(true);
  const card = page.getByRole("group", { name: "The agent needs an answer" });
  await expectVisible(card);
  const [window, open] = [
    await form.boundingBox(),
    await card.getByRole("button", { name: "Open the form" }).boundingBox(),
  ];
  expect((open?.x ?? 0) + (open?.width ?? 0)).toBeLessThanOrEqual(window?.x ?? 0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  await form.waitFor({ state: "hidden" });
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await page.keyboard.press("Alt+r");
  await expectVisible(form);
  await expect.poll(hasFocus).toBe(true);
});

test("a form does not take the focus from a person who writes", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await messageField(page).fill("yes, and");
  await server.client.sessions.message(sessionId, { message: "/form" });
  await expectVisible(page.getByRole("dialog", { name: "From the agent" }));
  await page.keyboard.type(" more");
  await expect.poll(() => messageField(page).inputValue()).toBe("yes, and more");
});

test("the canvas shows a report that can fill the window", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { colorScheme: "dark" });
  await say(page, "/canvas");
  const panel = place(page, "Canvas");
  await expectVisible(panel.getByRole("table", { name: "Slowest tests" }));
  await expectVisible(panel.getByRole("group", { name: "What made it faster" }));
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Fill the window" }).click();
  await conversation(page).waitFor();
  const [box, view] = [await panel.boundingBox(), page.viewportSize()];
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBe(view?.width);
  expect(box?.width).toBeGreaterThan(900);
});

test("on a phone what the agent shows is a sheet that leaves the page as wide as it was", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await say(page, "/canvas");
  const panel = place(page, "Canvas");
  await expectVisible(panel.getByRole("table", { name: "Slowest tests" }));
  const box = await panel.boundingBox();
  expect(box?.width).toBe(390);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Hide the canvas" }).tap();
  await panel.waitFor({ state: "hidden" });
});

test.each([
  ["a phone", { width: 390, height: 844 }],
  ["200 % zoom", { width: 720, height: 450 }],
])("what the agent shows leaves the message field in reach on %s", async (_name, viewport) => {
  const server = await startAppServer();
  const { page } = await openSession(server, { viewport });
  const field = messageField(page);
  const isInReach = () =>
    field.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
  const panel = place(page, "Canvas");
  const form = page.getByRole("dialog", { name: "From the agent" });
  await say(page, "/canvas");
  await expectVisible(panel);
  expect(await isInReach()).toBe(true);
  await say(page, "/form");
  await expectVisible(form);
  expect(await isInReach()).toBe(true);
  await form.getByRole("button", { name: "Hide" }).click();
  await panel.getByRole("button", { name: "Fill the window" }).click();
  expect(await isInReach()).toBe(true);
  await expectAccessible(page);
});

test("of very many components the newest are shown", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  for (let start = 0; start < 105; start += 15) {
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        server.client.sessions.showComponent(sessionId, {
          component_id: `c${start + index}`,
          name: "progress",
          surface: "sidebar",
          props: { title: `Task ${start + index}`, percent: 1 },
        }),
      ),
    );
  }
  await expectVisible(place(page, "Sidebar").getByText("Sidebar: the newest 100 of 105"));
  await expect.poll(() => place(page, "Sidebar").getByRole("progressbar").count()).toBe(100);
});
