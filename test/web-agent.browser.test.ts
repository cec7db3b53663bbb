/** The web app with real agents behind it: what a person does in the browser reaches Claude and Codex. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  agentMessage,
  conversation,
  expectVisible,
  openPage,
  say,
} from "../apps/web/src/test-support/browser.ts";
import { builtApp } from "../apps/web/src/test-support/built-app.ts";
import { AgentPair } from "./support/agent-pair.ts";

let pair: AgentPair;

beforeAll(async () => {
  pair = await AgentPair.start({ webRoot: await builtApp() });
});

afterAll(() => pair.close());

/** Starts a session by the first page, with its first message. */
async function startSession(
  runtime: string,
  message: string,
): Promise<{ page: Page; cwd: string }> {
  const cwd = pair.newProject();
  const { page } = await openPage();
  await page.goto(await pair.loginUrl());
  await page.getByRole("radio", { name: new RegExp(`^${runtime}`, "i") }).check();
  await page.getByRole("button", { name: /^Project / }).click();
  await page.getByRole("combobox", { name: /^Find a/ }).fill(`${cwd}/`);
  await page.getByText("No folders here.").waitFor();
  await page.getByRole("button", { name: "Use this folder" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const field = page.getByRole("textbox", { name: "First message" });
  await field.fill(message);
  await field.press("Enter");
  await page.waitForURL(/\/s\/[\w-]+$/);
  return { page, cwd };
}

/** Opens the page of a session that is there already. */
async function openSession(runtime: string): Promise<{ page: Page; cwd: string }> {
  const cwd = pair.newProject();
  const { session_id } = await pair.client.sessions.create({ runtime, cwd });
  const { page } = await openPage();
  await page.goto(await pair.loginUrl());
  await page.getByRole("textbox", { name: "First message" }).waitFor();
  await page.goto(`${pair.url}/s/${session_id}`);
  return { page, cwd };
}

/** Waits until the newest request has the focus and takes letters, then answers by one. */
async function answerByKey(page: Page, key: "y" | "n"): Promise<void> {
  await page.keyboard.press("Alt+r");
  await page.locator('[data-request][data-armed="true"]').waitFor();
  await page.keyboard.press(key);
}

async function idle(page: Page): Promise<void> {
  await expectVisible(page.getByRole("button", { name: "Send", exact: true }));
}

describe.each(["claude", "codex"])("with %s", (runtime) => {
  test("a person chats, lets a command run by keyboard, sees it, and stops a turn", async () => {
    const { page, cwd } = await startSession(runtime, "SCENARIO:text Hello from a model.");
    await expectVisible(agentMessage(page).getByText("Hello from a model."));
    await idle(page);
    await say(page, "SCENARIO:tool touch made.txt && echo made");
    await page.locator('[data-request][data-open="true"]').waitFor();
    expect(existsSync(join(cwd, "made.txt"))).toBe(false);
    await answerByKey(page, "y");
    await expectVisible(
      conversation(page)
        .getByText(/^Result/)
        .last(),
    );
    await idle(page);
    expect(existsSync(join(cwd, "made.txt"))).toBe(true);
    await say(page, "SCENARIO:hold never");
    await expectVisible(agentMessage(page).getByText("before the gate"));
    await page.getByRole("button", { name: /^Stop/ }).click();
    await idle(page);
    await expectVisible(conversation(page).getByText("Stopped").last());
  });
});

test("a question of Claude's is answered, and Claude hears the answer", async () => {
  const { page } = await startSession("claude", "SCENARIO:question");
  await page.getByRole("radio", { name: /^SQLite/ }).check();
  await page.getByRole("checkbox", { name: /^Search/ }).check();
  await page.getByRole("button", { name: "Answer" }).click();
  await idle(page);
  await expectVisible(agentMessage(page).getByText(/"Which database\?"="SQLite"/));
});

test("a change of Codex's to a file is shown, and made only when a person lets it be", async () => {
  const { page, cwd } = await startSession("codex", "SCENARIO:text Ready.");
  await expectVisible(agentMessage(page).getByText("Ready."));
  await idle(page);
  const path = join(cwd, "note.txt");
  await say(page, `SCENARIO:write ${path}`);
  const card = page.locator('[data-request][data-open="true"]');
  await expectVisible(card.getByText("written").first());
  await card.getByRole("button", { name: /^Deny/ }).first().click();
  await idle(page);
  expect(existsSync(path)).toBe(false);
  await say(page, `SCENARIO:write ${path}`);
  await card.waitFor();
  await answerByKey(page, "y");
  await idle(page);
  expect(existsSync(path)).toBe(true);
});

test("a command of Claude's that a person changed is shown as it ran, also after a reload", async () => {
  const { page, cwd } = await openSession("claude");
  await say(page, "SCENARIO:tool touch asked.txt");
  await page.locator('[data-request][data-open="true"]').waitFor();
  await page.keyboard.press("Alt+r");
  await page.locator('[data-request][data-armed="true"]').waitFor();
  await page.keyboard.press("e");
  const field = page.getByRole("textbox", { name: "Changed input" });
  await field.fill("touch ran.txt && echo changed");
  await field.press("Control+Enter");
  await idle(page);
  expect([existsSync(join(cwd, "ran.txt")), existsSync(join(cwd, "asked.txt"))]).toEqual([
    true,
    false,
  ]);
  const row = conversation(page).getByRole("button", {
    name: /^Bash touch ran.txt && echo changed/,
  });
  await page.reload();
  await row.click();
  await expectVisible(conversation(page).getByText("touch asked.txt", { exact: true }));
  await expectVisible(conversation(page).getByText("Allowed with changes", { exact: true }));
});

test("a file that Codex reads is named, and its other commands are shown whole", async () => {
  const { page, cwd } = await openSession("codex");
  writeFileSync(join(cwd, "note.txt"), "noted\n");
  await say(page, `SCENARIO:tool cat ${cwd}/note.txt`);
  const log = conversation(page);
  await page.locator('[data-request][data-open="true"]').waitFor();
  await expectVisible(log.getByRole("button", { name: /^Read note.txt/ }));
  await answerByKey(page, "y");
  await idle(page);
  await expectVisible(log.getByRole("button", { name: /^Read note.txt .*Allowed/ }));
  await say(page, `SCENARIO:tool echo whole ${cwd}/note.txt`);
  await page.locator('[data-request][data-open="true"]').waitFor();
  await expectVisible(log.getByRole("button", { name: `shell echo whole ${cwd}/note.txt` }));
});
