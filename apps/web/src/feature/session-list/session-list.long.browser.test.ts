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

test("the sidebar hides and resizes by keyboard, and both outlive a reload", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "Here" });
  const edge = page.getByRole("separator", { name: "Sidebar width" });
  const width = () => edge.getAttribute("aria-valuenow");
  const before = Number(await width());
  await edge.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(width).toBe(String(before + 24));
  await page.getByRole("button", { name: /^Hide sessions/ }).click();
  const show = page.getByRole("button", { name: "Show sessions" });
  await expectVisible(show);
  await expect.poll(() => show.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.reload();
  await expectVisible(show);
  expect(await page.getByRole("navigation", { name: "Sessions" }).isVisible()).toBe(false);
  await messageField(page).focus();
  await page.keyboard.press("Control+b");
  await expectVisible(sessionRow(page, "Here"));
  await expect.poll(width).toBe(String(before + 24));
  await expect
    .poll(() => messageField(page).evaluate((field) => field === document.activeElement))
    .toBe(true);
});

test("a Mac sees its own keys", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await page.addInitScript(() =>
    Object.defineProperty(navigator, "platform", { value: "MacIntel" }),
  );
  await page.reload();
  await expectVisible(page.getByRole("button", { name: "Find a session (⌘ K)" }));
  await page.keyboard.press("Meta+k");
  await expectVisible(page.getByRole("combobox", { name: "Find a session" }));
});

test("a toast stands in the pane and covers neither the message field nor its place", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "Old work" });
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  const toast = page.getByRole("status").filter({ hasText: "Archived" });
  await expectVisible(toast);
  const note = page.getByText("This session is archived.");
  await expectVisible(note);
  const [toastBox, noteBox, paneBox] = await Promise.all(
    [toast, note, page.locator("[data-pane=main]")].map((part) => part.boundingBox()),
  );
  expect((toastBox?.y ?? 0) + (toastBox?.height ?? 0)).toBeLessThan(noteBox?.y ?? 0);
  expect(toastBox?.x).toBeGreaterThanOrEqual(paneBox?.x ?? Infinity);
});
