import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";

const mostLines = 60;
const directory = fileURLToPath(new URL("../../test-results/", import.meta.url));

/** Shows the console of a page and a screenshot where its test fails. Call it before whatever closes the page. */
export function recordPage(page: Page): void {
  const lines: string[] = [];
  const add = (line: string): void => {
    lines.push(line.slice(0, 500));
    if (lines.length > mostLines) lines.shift();
  };
  page.on("console", (message) => add(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => add(`uncaught: ${error.message}`));
  page.on("crash", () => add("the page crashed"));
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== "fail" || page.isClosed()) return;
    const name = task.name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 80);
    const path = join(directory, `${name}-${task.id}.png`);
    await mkdir(directory, { recursive: true });
    const picture = await page.screenshot({ path }).catch((error: unknown) => error);
    console.log(`Page: ${page.url()}`);
    console.log(
      picture instanceof Error ? `No screenshot: ${picture.message}` : `Screenshot: ${path}`,
    );
    console.log(["Console of the page:", ...lines].join("\n  "));
  });
}
