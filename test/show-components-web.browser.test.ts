/** Components of the real agents in the web app, from the model's tool use to what a person does in them. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectAccessible } from "../apps/web/src/test-support/accessibility.ts";
import { openPage } from "../apps/web/src/test-support/browser.ts";
import { builtApp } from "../apps/web/src/test-support/built-app.ts";
import { webAppCatalog } from "../packages/cli/src/server/web-app-catalog.ts";
import { AgentPair } from "./support/agent-pair.ts";
import { teachScene } from "./support/component-scene.ts";
import { lastPicture, playScene } from "./support/component-stage.ts";

let pair: AgentPair;

beforeAll(async () => {
  pair = await AgentPair.start({ webRoot: await builtApp(), catalog: webAppCatalog });
  teachScene(pair.agents);
});

afterAll(() => pair.close());

async function readSteps(page: Page): Promise<readonly string[]> {
  const sidebar = page.getByRole("complementary", { name: "Sidebar of the agent" });
  return sidebar
    .getByRole("textbox", { name: /^Step \d+$/ })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLTextAreaElement).value));
}

test.each(["claude", "codex"])(
  "%s grows a chart, gets a reordered plan, asks for an approval and continues with it",
  async (runtime) => {
    const profile = await openPage();
    await profile.page.goto(await pair.loginUrl());
    await profile.page.getByRole("textbox", { name: "First message" }).waitFor();
    const openTab = async (sessionId: string): Promise<Page> => {
      const { page } = await profile.openTab();
      await page.goto(`${pair.url}/s/${sessionId}`);
      return page;
    };
    const pictures = await playScene({
      pair,
      runtime,
      openTab,
      readSteps,
      whileAsked: expectAccessible,
    });
    expect(pictures).toEqual([lastPicture, lastPicture]);
  },
);
