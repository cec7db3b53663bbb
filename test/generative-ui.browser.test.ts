/**
 * Generative UI with real agents, in the web app and in both example pages: a chart that grows in the chat, a plan in
 * the sidebar that the person reorders, an approval, and the same picture after a reload and in a second tab.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectVisible, openPage } from "../apps/web/src/test-support/browser.ts";
import { builtApp } from "../apps/web/src/test-support/built-app.ts";
import { AgentPair } from "./support/agent-pair.ts";
import { bars, playStory } from "./support/ui-story.ts";

interface Frontend {
  readonly name: string;
  /** Builds it into an empty directory, and answers where it is. */
  readonly build: (outDir: string) => Promise<string>;
  readonly path: (sessionId: string) => string;
  /** Something that is there once a browser is logged in. */
  readonly start: (page: Page) => ReturnType<Page["locator"]>;
  readonly firstStep: (page: Page) => Promise<string>;
}

async function buildExample(name: string, outDir: string): Promise<string> {
  const root = fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  await build({ root, build: { outDir, emptyOutDir: true }, logLevel: "silent" });
  return outDir;
}

function example(name: string): Omit<Frontend, "name"> {
  return {
    build: (outDir) => buildExample(name, outDir),
    path: (sessionId) => `/#${sessionId}`,
    start: (page) => page.getByRole("button", { name: "New session" }),
    firstStep: (page) => page.getByRole("listitem").filter({ hasText: "↑" }).first().innerText(),
  };
}

const frontends: readonly Frontend[] = [
  {
    name: "the web app",
    build: () => builtApp(),
    path: (sessionId) => `/s/${sessionId}`,
    start: (page) => page.getByRole("textbox", { name: "First message" }),
    firstStep: (page) => page.getByRole("textbox", { name: "Step 1" }).inputValue(),
  },
  { name: "the React page", ...example("react-page") },
  { name: "the Svelte page", ...example("svelte-page") },
];

describe.each(frontends)("in $name", ({ build: buildPage, path, start, firstStep }) => {
  let pair: AgentPair;
  let outDir: string;

  beforeAll(async () => {
    outDir = await mkdtemp(join(tmpdir(), "turnwire-genui-"));
    pair = await AgentPair.start({ webRoot: await buildPage(outDir) });
    playStory(pair.agents);
  });

  afterAll(async () => {
    await pair.close();
    await rm(outDir, { recursive: true, force: true });
  });

  test.each(["claude", "codex"])("%s and a person work in components", async (runtime) => {
    const { session_id } = await pair.client.sessions.create({ runtime, cwd: pair.newProject() });
    const { page, openTab } = await openPage();
    page.setDefaultTimeout(60_000);
    await page.goto(pair.loginUrl());
    await start(page).waitFor();
    await page.goto(`${pair.url}${path(session_id)}`);

    await pair.client.sessions.message(session_id, { message: "SCENARIO:grow" });
    const chart = (tab: Page) => tab.getByRole("img", { name: new RegExp(`${bars.join(", ")}$`) });
    await expectVisible(chart(page));
    await page.getByRole("button", { name: "Move step 2 up" }).click();
    await expect.poll(() => firstStep(page)).toContain("Ship it");
    await page.getByRole("button", { name: "Save", exact: true }).click();

    const question = "Run Ship it, Write the tests, Tell people?";
    await expectVisible(page.getByText(question).first());
    await page.getByRole("button", { name: /^approve$/i }).click();
    // The web app has it a second time, for screen readers.
    const continued = (tab: Page) => tab.getByText(/^I continue with .*approve/).first();
    await expectVisible(continued(page));

    const { events } = await pair.client.sessions.eventPage(session_id, { limit: 1000 });
    const grown = events.flatMap(({ type, data }) =>
      type === "component_update" && data.component_id === "bars" ? [data.patches?.length] : [],
    );
    expect(grown).toEqual([undefined, 1, 1, 1]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: "user_message",
        data: expect.objectContaining({
          callback: expect.objectContaining({ component_id: "plan", action: "save" }),
        }),
      }),
    );

    const showsAll = async (tab: Page): Promise<void> => {
      await expectVisible(chart(tab));
      await expectVisible(continued(tab));
      await expectVisible(tab.getByText(question).first());
      await expect.poll(() => firstStep(tab)).toContain("Ship it");
      expect(await tab.getByRole("button", { name: /^approve$/i }).count()).toBe(0);
      expect(await tab.getByText("render_component").count()).toBe(0);
    };
    await showsAll(page);
    await page.reload();
    await showsAll(page);
    const { page: second } = await openTab();
    await second.goto(`${pair.url}${path(session_id)}`);
    await showsAll(second);
  });
});
