import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { sharedChromium, waitLimitMs } from "../../../../test/support/browser-page.ts";
import { recordPage } from "../../../../test/support/page-record.ts";
import type { AppServer } from "./app-server.ts";
import { logIn } from "./login.ts";

export interface OpenPageOptions extends BrowserContextOptions {
  /** Console errors that the test is about, by a part of their text. */
  readonly expectedErrors?: readonly (string | RegExp)[];
}

/** A tab in a browser profile of its own. */
export interface AppPage {
  readonly page: Page;
  /** Console errors, uncaught exceptions and violations of the policy so far, without the expected ones. */
  readonly problems: readonly string[];
  /** Another tab of the same profile: logged in where this one is. */
  readonly openTab: () => Promise<AppPage>;
}

/** An empty tab; the test fails at its end if the page ever had a problem. */
export async function openPage(options: OpenPageOptions = {}): Promise<AppPage> {
  const { expectedErrors = [], ...contextOptions } = options;
  const browser = await sharedChromium();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    ...contextOptions,
  });
  context.setDefaultTimeout(waitLimitMs);
  const problems: string[] = [];
  const note = (text: string): void => {
    const isExpected = expectedErrors.some((known) =>
      typeof known === "string" ? text.includes(known) : known.test(text),
    );
    if (!isExpected) problems.push(text);
  };
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  const openTab = async (): Promise<AppPage> => {
    const page = await context.newPage();
    recordPage(page);
    page.on("pageerror", (error) => note(`uncaught: ${error.message}`));
    // The policy's violations are console errors in Chromium, too.
    page.on("console", (message) => {
      if (message.type() === "error") note(`console: ${message.text()} ${message.location().url}`);
    });
    return { page, problems, openTab };
  };
  return openTab();
}

/** A tab that is logged in and shows the app. */
export async function openApp(server: AppServer, options: OpenPageOptions = {}): Promise<AppPage> {
  const opened = await openLoggedIn(server, options);
  await opened.page.goto(`${server.url}/`);
  await opened.page.locator("#main").waitFor();
  return opened;
}

/** An empty tab of a browser that followed a login link before. */
async function openLoggedIn(server: AppServer, options: OpenPageOptions): Promise<AppPage> {
  return openPage({ ...options, storageState: await logIn(server) });
}

/** A tab that shows a new session of the demo runtime. */
export async function openSession(
  server: AppServer,
  options: OpenPageOptions & { readonly title?: string } = {},
): Promise<AppPage & { readonly sessionId: string }> {
  const { title = "A session", ...pageOptions } = options;
  const { session_id: sessionId } = await server.client.sessions.create({ title });
  const opened = await openLoggedIn(server, pageOptions);
  await opened.page.goto(`${server.url}/s/${sessionId}`);
  await messageField(opened.page).waitFor();
  return { ...opened, sessionId };
}

/** Waits until something can be seen; fails where it never can. */
export async function expectVisible(locator: Locator): Promise<void> {
  await locator.waitFor();
  await expect.poll(() => locator.isVisible()).toBe(true);
}

export function messageField(page: Page) {
  return page.getByRole("textbox", { name: "Message", exact: true });
}

/** The conversation, to find things in it. */
export function conversation(page: Page) {
  return page.getByRole("log", { name: "Conversation" });
}

/**
 * Scrolls the conversation as a person does, at once: while its content changes, it takes a scroll
 * without a hand for the browser's own.
 */
export function scrollByHand(page: Page, pixels: number): Promise<void> {
  return conversation(page).evaluate((list, by) => {
    list.dispatchEvent(new WheelEvent("wheel", { deltaY: by }));
    list.scrollBy(0, by);
  }, pixels);
}

/** What was said by the person, by its text. */
export function ownMessage(page: Page, text: string) {
  return conversation(page).getByRole("article", { name: "You" }).getByText(text, { exact: true });
}

/** The agent's messages, the newest by default. */
export function agentMessage(page: Page, place: "first" | "last" = "last") {
  const messages = conversation(page).getByRole("article", { name: "Agent" });
  return place === "first" ? messages.first() : messages.last();
}

/** A session's row in the sidebar. */
export function sessionRow(page: Page, title: string) {
  const name = page.getByText(title, { exact: true });
  return page
    .getByRole("navigation", { name: "Sessions" })
    .getByRole("listitem")
    .filter({ has: name });
}

/** Takes an option of one of the app's own selects. */
export async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page
    .getByRole("listbox", { name: label, exact: true })
    .getByRole("option", { name: option })
    .click();
}

/** Writes a message and sends it by the keys that do so on every device. */
export async function say(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await messageField(page).press("Control+Enter");
}
