import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  messageField,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";

test("files of the session's directory are mentioned after an at sign", async () => {
  const server = await startAppServer();
  await mkdir(join(server.root, "src"));
  await writeFile(join(server.root, "src", "greeting.ts"), "");
  await writeFile(join(server.root, "notes.md"), "");
  const { page } = await openSession(server);
  const field = messageField(page);
  await page.keyboard.type("Look at @greet");
  const list = page.getByRole("listbox", { name: "Files" });
  await expectVisible(list.getByRole("option", { name: "src/greeting.ts" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("Look at @src/greeting.ts ");
  await page.keyboard.type("please");
  await page.keyboard.press("Enter");
  await expectVisible(ownMessage(page, "Look at @src/greeting.ts please"));
});

test("the up arrow in an empty field brings earlier messages back", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "first words");
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await say(page, "second words");
  await expectVisible(ownMessage(page, "second words"));
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => messageField(page).inputValue()).toBe("second words");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => messageField(page).inputValue()).toBe("first words");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => messageField(page).inputValue()).toBe("");
});

test("the up arrow continues past a command, which offers nothing until it is changed", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  for (const words of ["first words", "/usage", "/plan"]) {
    await say(page, words);
    await expectVisible(ownMessage(page, words));
    await expectVisible(page.getByRole("button", { name: "Send" }));
  }
  const list = page.getByRole("listbox", { name: "Commands" });
  for (const words of ["/plan", "/usage", "first words"]) {
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => messageField(page).inputValue()).toBe(words);
    expect(await list.count()).toBe(0);
  }
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => messageField(page).inputValue()).toBe("/usage");
  await page.keyboard.press("Backspace");
  await expectVisible(list.getByRole("option", { name: /^\/usage/ }));
});

test("on a touch screen Enter breaks the line, and the button sends", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const field = messageField(page);
  expect(await field.getAttribute("enterkeyhint")).toBe("enter");
  await field.tap();
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  await expect.poll(() => field.inputValue()).toBe("one\ntwo");
  await page.getByRole("button", { name: "Send" }).tap();
  await expectVisible(ownMessage(page, "one\ntwo"));
  await field.fill("with a keyboard");
  await field.press("Control+Enter");
  await expectVisible(ownMessage(page, "with a keyboard"));
});

test("what Enter does is chosen in the settings, and kept", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Let Enter start a new line" }).click();
  await page.reload();
  const field = messageField(page);
  await field.focus();
  await page.keyboard.type("one");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  await expect.poll(() => field.inputValue()).toBe("one\ntwo");
  await page.keyboard.press("Control+Enter");
  await expectVisible(ownMessage(page, "one\ntwo"));
});

test("a control that disappears does not take the focus with it", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const hasField = () => messageField(page).evaluate((field) => field.matches(":focus"));
  await say(page, "/question");
  await expectVisible(page.getByRole("button", { name: "Skip" }));
  await say(page, "later");
  await page.getByRole("button", { name: 'Remove "later"' }).click();
  await expect.poll(hasField).toBe(true);
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("some notes"),
  });
  await page.getByRole("button", { name: "Remove notes.txt" }).click();
  await expect.poll(hasField).toBe(true);
  await page.getByRole("button", { name: /^Stop/ }).click();
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await expect.poll(hasField).toBe(true);
  await conversation(page).click({ position: { x: 5, y: 5 } });
});

test("what is written into a queued message is not lost when its turn comes first", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "/question");
  await expectVisible(page.getByRole("button", { name: "Skip" }));
  await say(page, "later");
  const queue = page.getByRole("list", { name: "Queued messages" });
  await queue.getByRole("button", { name: 'Edit "later"' }).click();
  await page.keyboard.type(", but better");
  await server.client.sessions.stop(sessionId);
  await expect.poll(() => messageField(page).inputValue()).toBe("later, but better");
  await expectVisible(page.getByText("This message was already sent."));
});

test("a queued message is sent into the running turn", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { viewport: { width: 390, height: 844 } });
  await say(page, "/question");
  await expectVisible(page.getByRole("button", { name: "Skip" }));
  await say(page, "Hurry up");
  await page.getByRole("button", { name: 'Send now: "Hurry up"' }).click();
  await expectVisible(ownMessage(page, "Hurry up"));
  await page.getByRole("list", { name: "Queued messages" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Skip" }).click();
  await expectVisible(agentMessage(page).getByText(/You said: “Hurry up”/));
  await expect.poll(() => ownMessage(page, "Hurry up").count()).toBe(1);
});

test("what did not reach its turn before the end can be sent as a message", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { expectedErrors: ["409"] });
  await say(page, "/question");
  await page.getByRole("combobox", { name: "When to send" }).selectOption("Send now");
  const error = { code: "turn_not_running", message: "No turn is running.", retryable: false };
  await page.route("**/message", (route) => route.fulfill({ status: 409, json: { error } }));
  await say(page, "Hurry up");
  const note = conversation(page).getByRole("alert");
  await expectVisible(note.getByRole("button", { name: "Try again" }));
  await page.unroute("**/message");
  await page.getByRole("button", { name: "Skip" }).click();
  await note.getByRole("button", { name: "Send as a message" }).click();
  await note.waitFor({ state: "detached" });
  await expectVisible(agentMessage(page).getByText("Hurry up"));
  await expect.poll(() => ownMessage(page, "Hurry up").count()).toBe(1);
});

test("an archived session says so, and is taken out of the archive where one wanted to write", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await server.client.sessions.archive(sessionId);
  await expectVisible(page.getByText("This session is archived."));
  await page.getByRole("button", { name: "Unarchive" }).click();
  await expectVisible(messageField(page));
});

test("a turn that is being stopped says so until it has ended", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/question");
  await expectVisible(page.getByRole("button", { name: "Skip" }));
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/stop", async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press("Control+.");
  const stopping = page.getByRole("button", { name: "Stopping…" });
  await expectVisible(stopping);
  expect(await stopping.isDisabled()).toBe(true);
  release();
  await expectVisible(page.getByRole("button", { name: "Send" }));
});
