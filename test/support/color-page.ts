import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@turnwire/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, vi } from "vitest";
import { openBuiltPage, type BuiltPage } from "../../examples/react-page/built-page.ts";
import { openBlankPage } from "./browser-page.ts";

let directory: string;
let example: BuiltPage;

/** The built React page, for the tests of a file. */
export function useColorPage(): void {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "turnwire-frontend-tool-"));
    vi.stubEnv("NODE_ENV", "production");
    example = await openBuiltPage(directory);
    vi.unstubAllEnvs();
  });

  afterAll(async () => {
    await example.close();
    await rm(directory, { recursive: true, force: true });
  });
}

/** A tab that can perform the tool; while it is held, what it answers does not leave it. */
export async function openTab({ url = example.url, isHeld = false } = {}) {
  const tab = await openBlankPage();
  const answers: Command[] = [];
  await tab.route("**/commands", async (route) => {
    const command = route.request().postDataJSON() as Command;
    if (command.type === "tool_call_response") {
      answers.push(command);
      if (isHeld) return;
    }
    await route.continue();
  });
  await tab.goto(url);
  return { tab, answers };
}

export async function startSession(tab: Page): Promise<void> {
  await tab.getByRole("button", { name: "New session" }).click();
  await tab.getByLabel("Message").waitFor();
}

export async function callTool(tab: Page): Promise<void> {
  await tab.getByLabel("Message").fill("/frontend-tool");
  await tab.getByRole("button", { name: "Send" }).click();
}

/** Chromium ends the process of the tab: nothing in it can say goodbye. */
export async function kill(tab: Page): Promise<void> {
  const crashed = tab.waitForEvent("crash");
  await Promise.race([crashed, tab.goto("chrome://crash").catch(() => crashed)]);
  await crashed;
}

export const answered = /It answered "(teal|plum)"\. Good choice\./;
