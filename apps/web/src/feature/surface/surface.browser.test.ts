import type { Page } from "playwright-core";
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

type Place = "Canvas" | "Sidebar" | "Panel";

function place(page: Page, name: Place) {
  return page.getByRole("complementary", { name: `${name} of the agent` });
}

test("a table in the chat sorts, and its buttons reach the agent", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "/components");
  const table = conversation(page).getByRole("table", { name: "Largest files" });
  const firstFile = () => table.getByRole("row").nth(1).getByRole("cell").first().innerText();
  await expectVisible(table);
  expect(await firstFile()).toBe("src/server.ts");
  await table.getByRole("button", { name: "Lines" }).click();
  await expectVisible(table.getByRole("columnheader", { name: "Lines" }));
  expect(await firstFile()).toBe("src/store.ts");
  await conversation(page).getByRole("button", { name: "refresh" }).click();
  await expect
    .poll(async () => JSON.stringify(await server.client.sessions.snapshot(sessionId)))
    .toContain('"last_action":"refresh"');
});

test("what the agent puts beside the chat can be closed, brought back and resized by keyboard", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/canvas");
  const panel = place(page, "Canvas");
  await expectVisible(panel.getByRole("table", { name: "Slowest tests" }));
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await expectAccessible(page);
  const width = async () => (await panel.boundingBox())?.width ?? 0;
  const before = await width();
  await panel.getByRole("separator").press("ArrowLeft");
  expect(await width()).toBe(before + 24);
  await panel.getByRole("button", { name: "Hide the canvas" }).press("Enter");
  await panel.waitFor({ state: "hidden" });
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await page.getByRole("button", { name: "Canvas 3" }).press("Enter");
  await expectVisible(panel);
  await expect.poll(() => panel.evaluate((element) => element.matches(":focus"))).toBe(true);
  expect(await width()).toBe(before + 24);
});

test("canvas, sidebar, panel and overlay are four places: all at once where there is room", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { viewport: { width: 1600, height: 900 } });
  await say(page, "/components");
  await expectVisible(place(page, "Panel").getByRole("img", { name: "Bars: 12, 30, 21, 44" }));
  await say(page, "/state");
  await expectVisible(place(page, "Sidebar").getByText("2 open"));
  await say(page, "/canvas");
  await expectVisible(place(page, "Canvas").getByRole("group", { name: "What made it faster" }));
  await say(page, "/form");
  await expectVisible(page.getByRole("dialog", { name: "From the agent" }));
  const boxOf = async (name: Place) => {
    const box = await place(page, name).boundingBox();
    if (!box) throw new Error(`The ${name} is not in sight`);
    return box;
  };
  const field = await messageField(page).boundingBox();
  const [canvas, sidebar, panel] = [
    await boxOf("Canvas"),
    await boxOf("Sidebar"),
    await boxOf("Panel"),
  ];
  expect(panel.y + panel.height).toBeLessThanOrEqual(field?.y ?? 0);
  expect(panel.x + panel.width).toBeLessThanOrEqual(canvas.x);
  expect(canvas.x + canvas.width).toBeLessThanOrEqual(sidebar.x);
  expect(sidebar.x + sidebar.width).toBe(1600);
  expect(panel.width).toBeGreaterThan(400);
  await expectAccessible(page);
});

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

test("a form over the conversation keeps what was filled in while it is hidden, and the agent gets it", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/form");
  const form = page.getByRole("dialog", { name: "From the agent" });
  await expectVisible(form);
  await expectAccessible(page);
  await form.getByRole("button", { name: "Minimize" }).click();
  await form.getByRole("textbox", { name: "Version" }).waitFor({ state: "hidden" });
  await form.getByRole("button", { name: "Restore" }).click();
  await form.getByRole("textbox", { name: "Version" }).fill("2.0.0");
  await form.getByRole("combobox", { name: "Channel" }).selectOption("beta");
  await form.getByRole("checkbox", { name: "Announce it" }).uncheck();
  await form.getByRole("button", { name: "Hide" }).click();
  await form.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Open the form" }).click();
  await expectVisible(form);
  await expect
    .poll(() => form.evaluate((element) => element === document.activeElement))
    .toBe(true);
  await form.getByRole("button", { name: "Prepare" }).click();
  await form.waitFor({ state: "detached" });
  const answer = () => agentMessage(page).innerText();
  await expect.poll(answer).toContain('"channel": "beta"');
  await expect.poll(answer).toContain('"version": "2.0.0"');
  await expect.poll(answer).toContain('"announce": false');
});

test("a plan is changed before it is carried out", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/plan-editor");
  const panel = place(page, "Panel");
  await panel.getByRole("button", { name: "Move step 2 up" }).click();
  await panel.getByRole("button", { name: "Remove step 3" }).click();
  await panel.getByRole("button", { name: "Add a step" }).click();
  await panel.getByRole("textbox", { name: "Step 3" }).fill("Tell everybody");
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Run plan" }).click();
  await expectVisible(
    agentMessage(page).getByText("I begin with “Put the new store behind it”. Steps in all: 3."),
  );
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

test("an approval in the chat answers the agent that waits", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/interrupt");
  await expectVisible(page.getByText("Version 1.4.0, three changes since the last one."));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reject" }).click();
  await expectVisible(agentMessage(page).getByText("Then not today."));
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

test("a shared list is ticked here, and the agent keeps its count", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/state");
  const panel = place(page, "Sidebar");
  await expectVisible(panel.getByText("2 open"));
  await panel.getByRole("checkbox", { name: "Make it pass" }).click();
  await expectVisible(panel.getByText("1 open"));
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

test("a place is cleared for everybody, or all of them; what waits for an answer stays", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { viewport: { width: 1600, height: 900 } });
  const { client } = server;
  const show = (surface: "sidebar" | "panel" | "canvas", id: string) => {
    const props = { title: id, percent: 5 };
    const shown = { component_id: id, name: "progress", surface, props };
    return client.sessions.showComponent(sessionId, shown);
  };
  await show("sidebar", "one");
  await show("sidebar", "two");
  await show("panel", "three");
  await show("canvas", "four");
  await say(page, "/plan-editor");
  await expectVisible(place(page, "Panel").getByRole("button", { name: "Run plan" }));
  await place(page, "Sidebar").getByRole("button", { name: "Actions for the sidebar" }).click();
  await page.getByRole("menuitem", { name: "Clear the sidebar" }).click();
  await place(page, "Sidebar").waitFor({ state: "detached" });
  await place(page, "Panel").getByRole("button", { name: "Actions for the panel" }).click();
  await page.getByRole("menuitem", { name: "Clear all places" }).click();
  await place(page, "Canvas").waitFor({ state: "detached" });
  const idsOf = async () => {
    const { state } = await client.sessions.snapshot(sessionId);
    return Object.values(state.surfaces).flatMap((all) => all.map(({ name }) => name));
  };
  await expect.poll(idsOf).toEqual(["plan_editor"]);
  await page.getByRole("button", { name: "Panel 1" }).click();
  await expectVisible(place(page, "Panel").getByRole("button", { name: "Run plan" }));
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
