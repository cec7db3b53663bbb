import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openBuiltPage, type BuiltPage } from "../examples/react-page/built-page.ts";
import { openBlankPage } from "./support/browser-page.ts";

let directory: string;
let example: BuiltPage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnwire-react-page-"));
  vi.stubEnv("NODE_ENV", "production");
  example = await openBuiltPage(directory);
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await example.close();
  await rm(directory, { recursive: true, force: true });
});

/** A tab that must not report an error of its own. */
async function openTab(url = example.url): Promise<Page> {
  const tab = await openBlankPage();
  const errors: string[] = [];
  tab.on("response", (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} ${response.url()}`);
  });
  tab.on("pageerror", (error) => errors.push(String(error)));
  tab.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  onTestFinished(() => expect(errors).toEqual([]));
  await tab.goto(url);
  return tab;
}

async function startSession(tab: Page): Promise<void> {
  await tab.getByRole("button", { name: "New session" }).click();
  await tab.getByLabel("Message").waitFor();
}

async function say(tab: Page, text: string): Promise<void> {
  await tab.getByLabel("Message").fill(text);
  await tab.getByRole("button", { name: "Send" }).click();
}

describe("the React page in Chromium", () => {
  test("streams an answer as markdown, and shows it again after a reload", async () => {
    const tab = await openTab();
    await startSession(tab);
    await say(tab, "/markdown");
    await tab.getByRole("heading", { name: "A table" }).waitFor();
    await tab.getByText("All of this arrived word by word.").waitFor();
    await tab.reload();
    await tab.getByText("All of this arrived word by word.").waitFor();
    expect(await tab.getByRole("article").count()).toBe(2);
  });

  test("asks for a permission and continues with the answer, in every tab at once", async () => {
    const tab = await openTab();
    await startSession(tab);
    const other = await openTab(tab.url());
    await say(tab, "/permission");
    await tab.getByRole("button", { name: "Allow" }).waitFor();
    await other.getByRole("button", { name: "Allow" }).click();
    await tab.getByText("Done, with this input").waitFor();
    expect(await tab.getByRole("button", { name: "Allow" }).count()).toBe(0);
  });

  test("shows components in the chat and beside it, and gives an interrupt its value", async () => {
    const tab = await openTab();
    await startSession(tab);
    await say(tab, "/components");
    await tab.getByRole("cell", { name: "src/server.ts" }).waitFor();
    await tab.getByRole("img", { name: "Lines per week" }).waitFor();
    await say(tab, "/interrupt");
    await tab.getByRole("button", { name: "approve" }).click();
    await tab.getByText("Approved: I would deploy now.").waitFor();
    await expect.poll(() => tab.getByText('Ended: {"choice":"approve"}').count()).toBe(1);
  });

  test("performs a tool that only the page has", async () => {
    const tab = await openTab();
    await startSession(tab);
    await say(tab, "/frontend-tool");
    const answer = tab.getByText(/It answered "(teal|plum)"\. Good choice\./);
    await answer.waitFor();
    expect(await answer.count()).toBe(1);
  });

  test("stops a turn", async () => {
    const tab = await openTab();
    await startSession(tab);
    await say(tab, "/slow");
    const points = tab.getByRole("listitem").filter({ hasText: "Still at it" });
    await points.first().waitFor();
    await tab.getByRole("button", { name: "Stop" }).click();
    await tab.getByRole("status").getByText("Idle").waitFor();
    // Unless it is stopped, the answer has 40 points.
    expect(await points.count()).toBeLessThan(40);
  });
});
