import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openBlankPage } from "./support/browser-page.ts";

const examples = fileURLToPath(new URL("../examples", import.meta.url));

/** Starts an example's own server and gives the address it prints. */
async function serve(example: string): Promise<string> {
  const server = spawn(
    process.execPath,
    ["--import", "tsx", "--conditions=@turnwire/source", join(examples, example, "serve.ts")],
    { env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => stop(server));
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`${example} ended without saying where it is`);
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
}

/** A tab that must not report an error of its own. */
async function openTab(url: string): Promise<Page> {
  const tab = await openBlankPage();
  const errors: string[] = [];
  tab.on("pageerror", (error) => errors.push(String(error)));
  tab.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  onTestFinished(() => expect(errors).toEqual([]));
  await tab.goto(url);
  return tab;
}

async function say(tab: Page, message: string): Promise<void> {
  await tab.getByLabel("Message").fill(message);
  await tab.getByRole("button", { name: "Send" }).click();
}

describe("the plain page in Chromium", () => {
  test("follows a session with EventSource, answers, and shows it again after a reload", async () => {
    const tab = await openTab(await serve("vanilla-page"));
    await tab.getByText("Connected").waitFor();
    await say(tab, "/permission");
    await tab.getByRole("button", { name: "allow" }).click();
    await tab.getByText("Done", { exact: true }).waitFor();
    const answers = await tab.locator("li[data-role=agent]").allTextContents();
    expect(answers.join("")).not.toBe("");

    await tab.reload();
    await tab.getByText("Done", { exact: true }).waitFor();
    expect(await tab.locator("li[data-role=agent]").allTextContents()).toEqual(answers);
  });
});

describe("the Svelte page in Chromium", () => {
  beforeAll(async () => {
    vi.stubEnv("NODE_ENV", "production");
    await build({ root: join(examples, "svelte-page"), logLevel: "warn" });
    vi.unstubAllEnvs();
  });

  test("streams markdown, asks for permission, and shows the agent's components", async () => {
    const tab = await openTab(await serve("svelte-page"));
    await tab.getByRole("button", { name: "New session" }).click();
    await tab.getByText("Nothing here yet").waitFor();

    await say(tab, "/markdown");
    await tab.getByRole("heading", { name: "What markdown can do" }).waitFor();
    await tab.getByRole("region", { name: "Table" }).waitFor();

    await say(tab, "/permission");
    await tab.getByRole("button", { name: "Allow" }).click();
    await tab.getByRole("button", { name: "Allow" }).waitFor({ state: "detached" });

    await say(tab, "/components");
    await tab.getByRole("table", { name: "Largest files" }).waitFor();
    await tab.getByRole("img", { name: "Lines per week: 12, 30, 21, 44" }).waitFor();
    await say(tab, "/canvas");
    await tab.getByText("The agent shows a diff, which this page does not know.").waitFor();

    await say(tab, "/interrupt");
    await tab.getByRole("button", { name: "approve" }).click();
    await tab.getByText("Answered: approve").waitFor();
    await tab.getByText("Approved: I would deploy now.").waitFor();
    await expect.poll(() => tab.getByRole("list").getByRole("button").count()).toBe(1);
  });
});
