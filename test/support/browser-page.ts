import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { launchChromium } from "./chromium.ts";
import { recordPage } from "./page-record.ts";

/** Shorter than the runner's limit: what a page waited for is named by its locator. */
export const waitLimitMs = 180_000;

let launched: Promise<Browser> | undefined;

/** The Chromium of this worker. It ends when the worker does: Playwright holds it by a pipe. */
export function sharedChromium(): Promise<Browser> {
  launched ??= launchChromium();
  return launched;
}

/** A page in a browser profile of its own, closed when its test ends. */
export async function openBlankPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await (await sharedChromium()).newContext(options);
  context.setDefaultTimeout(waitLimitMs);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  recordPage(page);
  return page;
}
