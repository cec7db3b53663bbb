import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "@turnwire/protocol";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openBuiltPage, type BuiltPage } from "../examples/react-page/built-page.ts";
import { openBlankPage } from "./support/browser-page.ts";

let directory: string;
let example: BuiltPage;

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

/** A tab that can perform the tool; while it is held, what it answers does not leave it. */
async function openTab(url = example.url, { isHeld = false } = {}) {
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

async function startSession(tab: Page): Promise<void> {
  await tab.getByRole("button", { name: "New session" }).click();
  await tab.getByLabel("Message").waitFor();
}

async function callTool(tab: Page): Promise<void> {
  await tab.getByLabel("Message").fill("/frontend-tool");
  await tab.getByRole("button", { name: "Send" }).click();
}

/** Chromium ends the process of the tab: nothing in it can say goodbye. */
async function kill(tab: Page): Promise<void> {
  const crashed = tab.waitForEvent("crash");
  await Promise.race([crashed, tab.goto("chrome://crash").catch(() => crashed)]);
  await crashed;
}

const answered = /It answered "(teal|plum)"\. Good choice\./;

describe("a frontend tool in two tabs", () => {
  test("is performed once, and both see the answer", async () => {
    const first = await openTab();
    await startSession(first.tab);
    const second = await openTab(first.tab.url());
    await second.tab.getByLabel("Message").waitFor();
    await callTool(first.tab);
    await first.tab.getByText(answered).waitFor();
    await second.tab.getByText(answered).waitFor();
    expect([...first.answers, ...second.answers]).toHaveLength(1);
  });

  test("is completed by the other when the tab that performs it is killed", async () => {
    const first = await openTab(example.url, { isHeld: true });
    await startSession(first.tab);
    await callTool(first.tab);
    // It has claimed the call and performed the tool; its answer is on its way and gets lost with it.
    await expect.poll(() => first.answers).toHaveLength(1);
    const second = await openTab(first.tab.url());
    await second.tab.getByText("Working on choose_color").waitFor();
    expect(second.answers).toEqual([]);
    await kill(first.tab);
    // The claim of the dead tab has to run out first.
    await second.tab.getByText(answered).waitFor();
    expect(second.answers).toHaveLength(1);
  });
});
