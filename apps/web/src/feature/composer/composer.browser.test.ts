import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  choose,
  conversation,
  expectVisible,
  messageField,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";

test("Enter sends, Shift Enter adds a line, and the field grows with its text", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const height = () => messageField(page).evaluate((field) => field.clientHeight);
  const before = await height();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("three");
  expect(await height()).toBeGreaterThan(before);
  await page.keyboard.press("Enter");
  await expectVisible(ownMessage(page, "one\ntwo\nthree"));
  await expect.poll(() => messageField(page).inputValue()).toBe("");
});

test("a word that is still being composed is not sent by Enter", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
  await messageField(page).dispatchEvent("keydown", { key: "Enter", isComposing: true });
  await expect.poll(() => messageField(page).inputValue()).toBe("にほ");
  await input.send("Input.insertText", { text: "日本" });
  await page.keyboard.press("Enter");
  await expectVisible(ownMessage(page, "日本"));
});

test("commands are completed by keyboard, heard by screen readers, and a whole one is sent at once", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const field = messageField(page);
  await page.keyboard.type("/pl");
  const list = page.getByRole("listbox", { name: "Commands" });
  await expectVisible(list.getByRole("option", { name: /^\/plan A plan/ }));
  const active = await field.getAttribute("aria-activedescendant");
  expect(await list.locator("[aria-selected=true]").getAttribute("id")).toBe(active);
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await expect.poll(() => field.inputValue()).toBe("/plan ");
  await list.waitFor({ state: "detached" });
  await field.fill("/usa");
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await expect.poll(() => field.inputValue()).toBe("/usa");
  await field.fill("/usage");
  await page.keyboard.press("Enter");
  await expectVisible(ownMessage(page, "/usage"));
});

test("changes are reviewed by a command of the composer", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await page.keyboard.type("/rev");
  const list = page.getByRole("listbox", { name: "Commands" });
  await expectVisible(list.getByRole("option", { name: /^\/review Have changes reviewed/ }));
  await page.keyboard.press("Tab");
  await page.keyboard.type("branch main");
  await page.keyboard.press("Enter");
  await expectVisible(ownMessage(page, "/review branch main"));
  await expectVisible(page.getByText("I reviewed the changes against main.", { exact: true }));
});

test("a draft is kept for its session, also over a reload, and gone once it is sent", async () => {
  const server = await startAppServer();
  const other = await server.client.sessions.create({ title: "Other" });
  const { page } = await openSession(server);
  const url = page.url();
  await page.keyboard.type("Half a thought");
  await page.goto(`${server.url}/s/${other.session_id}`);
  await expect.poll(() => messageField(page).inputValue()).toBe("");
  await page.goto(url);
  await expect.poll(() => messageField(page).inputValue()).toBe("Half a thought");
  await messageField(page).press("Enter");
  await expectVisible(ownMessage(page, "Half a thought"));
  await page.reload();
  await expect.poll(() => messageField(page).inputValue()).toBe("");
});

test("what is sent while a turn runs is numbered, edited in place, reordered and removed", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "/question");
  await expectVisible(page.getByRole("button", { name: "Skip" }));
  for (const words of ["one", "two", "three", "four"]) await say(page, words);
  const queue = page.getByRole("list", { name: "Queued messages" });
  const rows = async () =>
    (await queue.getByRole("listitem").allInnerTexts()).map((text) =>
      text.split("\n").slice(0, 2).join(" "),
    );
  await expect.poll(rows).toEqual(["1 one", "2 two", "3 three", "4 four"]);
  await expectAccessible(page);
  await queue.getByRole("button", { name: 'Remove "one"' }).click();
  await expect.poll(rows).toEqual(["1 two", "2 three", "3 four"]);
  await queue.getByRole("button", { name: 'Edit "three"' }).click();
  const field = queue.getByRole("textbox", { name: "Queued message 2" });
  await field.press("ControlOrMeta+a");
  await page.keyboard.type("three, but better");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect.poll(rows).toEqual(["1 two", "2 three, but better", "3 four"]);
  await queue.getByRole("button", { name: 'Move "four" up' }).click();
  await expect.poll(rows).toEqual(["1 two", "2 four", "3 three, but better"]);
  const queued = async () => {
    const { state } = await server.client.sessions.snapshot(sessionId);
    return state.queue.map(({ content }) =>
      content.map((block) => block.type === "text" && block.text).join(),
    );
  };
  await expect.poll(queued).toEqual(["two", "four", "three, but better"]);
  expect(await messageField(page).inputValue()).toBe("");
  await page.getByRole("button", { name: "Skip" }).click();
  await expectVisible(agentMessage(page).getByText(/I heard “three, but better”/));
  await expect.poll(() => conversation(page).getByText("one", { exact: true }).count()).toBe(0);
});

test("a message can join the running turn", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/question");
  await page.getByRole("combobox", { name: "When to send" }).selectOption("Send now");
  await say(page, "Hurry up");
  await expectVisible(ownMessage(page, "Hurry up"));
  await page.getByRole("button", { name: "Skip" }).click();
  await expectVisible(agentMessage(page).getByText(/You said: “Hurry up”/));
});

test("the stop button says what it stops, and two Escapes do the same", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/permission");
  await page.getByRole("button", { name: "Stop: Waiting for you" }).click();
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await say(page, "/question");
  await expectVisible(page.getByRole("button", { name: "Skip" }));
  await messageField(page).focus();
  await page.keyboard.press("Escape");
  await expectVisible(page.getByText("Esc again"));
  await page.keyboard.press("Escape");
  await expectVisible(page.getByRole("button", { name: "Send" }));
});

test("model, effort and permission mode are changed in the session, by plain names", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await choose(page, "Effort", "High effort");
  await expect.poll(() => server.client.sessions.get(sessionId)).toMatchObject({ effort: "high" });
  await choose(page, "Model", /^Demo, smaller/);
  await page.getByRole("combobox", { name: "Permission mode" }).focus();
  await page.keyboard.press("ArrowDown");
  await expectAccessible(page);
  await page.keyboard.type("pl");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => server.client.sessions.get(sessionId))
    .toMatchObject({ model: "demo-1-mini", permission_mode: "plan" });
});

test("a message that was not sent can be tried again, or discarded", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { expectedErrors: ["400"] });
  const error = { code: "invalid_request", message: "Not today", retryable: false };
  await page.route("**/message", (route) => route.fulfill({ status: 400, json: { error } }));
  await say(page, "First try");
  await expectVisible(page.getByRole("alert").getByText(/Not sent: .*Not today/));
  await page.unroute("**/message");
  await page.getByRole("button", { name: "Try again" }).click();
  await expectVisible(agentMessage(page).getByText(/I heard “First try”/));
  await page.route("**/message", (route) => route.fulfill({ status: 400, json: { error } }));
  await say(page, "Never mind");
  await page.getByRole("button", { name: "Discard" }).click();
  await ownMessage(page, "Never mind").waitFor({ state: "detached" });
});
