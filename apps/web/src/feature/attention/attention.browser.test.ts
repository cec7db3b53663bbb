import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openPage, openSession, say } from "../../test-support/browser.ts";

test("the window's title says that an agent waits, until it was answered", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "Careful work" });
  await say(page, "/permission");
  await expect.poll(() => page.title()).toBe("(1) Careful work · Turnwire");
  await page.getByRole("button", { name: "Allow once" }).click();
  await expect.poll(() => page.title()).toBe("Careful work · Turnwire");
});

/** Keeps what the page tells the system, in place of a system. */
function recordSignals(): void {
  const signals: string[] = [];
  class RecordedNotification extends EventTarget {
    static permission = "default";
    static requestPermission(): Promise<string> {
      RecordedNotification.permission = "granted";
      return Promise.resolve("granted");
    }
    constructor(title: string, options: { readonly body: string }) {
      super();
      signals.push(`${title}: ${options.body}`);
    }
  }
  Object.assign(window, { Notification: RecordedNotification, signals });
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void signals.push(`badge ${count}`),
    clearAppBadge: async () => void signals.push("badge cleared"),
  });
}

function signalsOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>("window.signals");
}

test("a badge counts waiting sessions, and notifications come only if they are on and the window is hidden", async () => {
  const server = await startAppServer();
  const { page } = await openPage();
  await page.addInitScript(recordSignals);
  const { session_id: id } = await server.client.sessions.create({ title: "Night shift" });
  await page.goto(await server.loginUrl());
  await expectVisible(page.getByText("Night shift"));
  await page.getByRole("button", { name: "Settings" }).click();
  await expectAccessible(page);
  await page.getByRole("menuitem", { name: "Notify me when an agent needs me" }).click();
  const askThenStop = async (): Promise<string[]> => {
    const before = (await signalsOf(page)).length;
    await server.client.sessions.message(id, { message: "/permission" });
    await expect.poll(async () => (await signalsOf(page)).slice(before)).toContain("badge 1");
    await server.client.sessions.stop(id);
    await expect.poll(async () => (await signalsOf(page)).at(-1)).toBe("badge cleared");
    return (await signalsOf(page)).slice(before);
  };
  expect(await askThenStop()).toEqual(["badge 1", "badge cleared"]);
  await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
  expect(await askThenStop()).toContain("Night shift: The agent needs an answer");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Turn notifications off" }).click();
  expect(await askThenStop()).toEqual(["badge 1", "badge cleared"]);
});

test("a question mark shows all keys, but not where one writes", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await page.getByRole("textbox", { name: "Message", exact: true }).press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect.poll(() => help.count()).toBe(0);
  await page.getByRole("heading", { name: "A session" }).click();
  await page.keyboard.press("?");
  await expectVisible(help);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});
