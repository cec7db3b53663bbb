/** Components of the real agents in the example pages, which have registries of their own. */
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openPage } from "../apps/web/src/test-support/browser.ts";
import { type BuiltPage, openBuiltPage } from "../examples/react-page/built-page.ts";
import { webAppCatalog } from "../packages/cli/src/server/web-app-catalog.ts";
import { AgentPair } from "./support/agent-pair.ts";
import { teachScene } from "./support/component-scene.ts";
import { lastPicture, playScene } from "./support/component-stage.ts";

const directory = mkdtempSync(join(tmpdir(), "turnwire-show-components-"));
let pair: AgentPair;
let react: BuiltPage;

beforeAll(async () => {
  vi.stubEnv("NODE_ENV", "production");
  const root = fileURLToPath(new URL("../examples/svelte-page", import.meta.url));
  const webRoot = join(directory, "svelte");
  await build({ root, build: { outDir: webRoot, emptyOutDir: true }, logLevel: "warn" });
  pair = await AgentPair.start({ webRoot, catalog: webAppCatalog });
  react = await openBuiltPage(join(directory, "react"), pair);
  teachScene(pair.agents);
});

afterAll(async () => {
  // The agents are closed with it.
  await react.close();
  await rm(directory, { recursive: true, force: true });
});

async function readSteps(page: Page): Promise<readonly string[]> {
  const move = page.getByRole("button", { name: /^Move step/ });
  const steps = await page.getByRole("listitem").filter({ has: move }).allInnerTexts();
  return steps.map((text) => text.replace("↑", "").trim());
}

describe.each(["claude", "codex"])("what %s shows", (runtime) => {
  test("is grown, reordered, approved and continued in the React page", async () => {
    const profile = await openPage();
    const openTab = async (sessionId: string): Promise<Page> => {
      const { page } = await profile.openTab();
      await page.goto(`${react.url}#${sessionId}`);
      return page;
    };
    const pictures = await playScene({ pair, runtime, openTab, readSteps });
    expect(pictures).toEqual([lastPicture, lastPicture]);
  });

  test("is grown, reordered, approved and continued in the Svelte page", async () => {
    const profile = await openPage();
    await profile.page.goto(await pair.loginUrl());
    await profile.page.getByRole("button", { name: "New session" }).waitFor();
    const openTab = async (sessionId: string): Promise<Page> => {
      const { page } = await profile.openTab();
      await page.goto(`${pair.url}/#${sessionId}`);
      return page;
    };
    const pictures = await playScene({ pair, runtime, openTab, readSteps });
    expect(pictures).toEqual([lastPicture, lastPicture]);
  });
});
