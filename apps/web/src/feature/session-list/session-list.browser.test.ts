import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  messageField,
  openApp,
  openSession,
  ownMessage,
  say,
  sessionRow,
} from "../../test-support/browser.ts";

test("the list shows what each session does, while it does it", async () => {
  const server = await startAppServer();
  const { session_id: id } = await server.client.sessions.create({ title: "Release" });
  const { page } = await openApp(server);
  await expectVisible(sessionRow(page, "Release").getByRole("img", { name: "Idle" }));
  await server.client.sessions.message(id, { message: "/permission" });
  await expectVisible(sessionRow(page, "Release").getByRole("img", { name: "Waiting for you" }));
  await expectVisible(page.getByRole("region", { name: "Waiting for you" }));
  await server.client.sessions.stop(id);
  await expectVisible(sessionRow(page, "Release").getByRole("img", { name: "Idle" }));
});

test("a session is renamed in its row, and Escape leaves the title as it was", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Before" });
  const rename = async (): Promise<void> => {
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
  };
  const field = page.getByRole("textbox", { name: "Title of the session" });
  await rename();
  await field.fill("Never");
  await field.press("Escape");
  await expectVisible(page.getByRole("heading", { name: "Before" }));
  await rename();
  await field.fill("After");
  await field.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "After" }));
  expect((await server.client.sessions.get(sessionId)).title).toBe("After");
});

test("a fork opens beside its source and has its conversation", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Source" });
  await say(page, "Remember me");
  await expectVisible(page.getByRole("button", { name: "Send" }));
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Fork" }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(sessionId));
  await expectVisible(ownMessage(page, "Remember me"));
  expect((await server.client.sessions.list()).sessions).toHaveLength(2);
});

test("an archived session is put away, and comes back when that is taken back", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "Old work" });
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expectVisible(page.getByRole("button", { name: "Archived (1)" }));
  await expectVisible(page.getByText("This session is archived."));
  await page.getByRole("button", { name: "Undo" }).click();
  await expectVisible(sessionRow(page, "Old work"));
  await expectVisible(messageField(page));
});

test("a deleted session is gone from sight at once, and from the server only if that is not undone", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Mistake" });
  const remove = async (): Promise<void> => {
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  await remove();
  await sessionRow(page, "Mistake").waitFor({ state: "detached" });
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
  expect((await server.client.sessions.get(sessionId)).title).toBe("Mistake");
  await page.getByRole("button", { name: "Undo" }).click();
  await expectVisible(sessionRow(page, "Mistake"));
  await remove();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect.poll(async () => (await server.client.sessions.list()).sessions).toHaveLength(0);
});

test("a few letters find a session by keyboard alone, and arrows go along the list", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Paint the fence" });
  const { page } = await openSession(server, { title: "Mow the lawn" });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Find a session" });
  await field.fill("no such words");
  await expectVisible(page.getByText("No sessions match."));
  await field.fill("FENCE paint");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "Paint the fence" }));
  await page.keyboard.press("Alt+ArrowUp");
  await expectVisible(page.getByRole("heading", { name: "Mow the lawn" }));
  await page.keyboard.press("Alt+n");
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
});

test("on a phone the list is a sheet that closes when a session is chosen", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Chosen" });
  const { page } = await openApp(server, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await expect.poll(() => sessionRow(page, "Chosen").isVisible()).toBe(false);
  await page.getByRole("button", { name: "Show sessions" }).tap();
  await sessionRow(page, "Chosen").getByRole("link").tap();
  await expectVisible(page.getByRole("heading", { name: "Chosen" }));
  await sessionRow(page, "Chosen").waitFor({ state: "hidden" });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(390);
  await expectVisible(conversation(page));
});
