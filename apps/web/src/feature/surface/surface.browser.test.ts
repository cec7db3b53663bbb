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
import { type Place, place } from "../../test-support/surface.ts";

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

test("an approval in the chat answers the agent that waits", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/interrupt");
  await expectVisible(page.getByText("Version 1.4.0, three changes since the last one."));
  await expectAccessible(page);
  await page.getByRole("button", { name: "Reject" }).click();
  await expectVisible(agentMessage(page).getByText("Then not today."));
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
