import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TransportName } from "@turnwire/client";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBlankPage } from "./support/browser-page.ts";
import {
  breaks,
  bundle,
  play,
  playOn,
  readingOptions,
  replay,
  say,
  setStage,
  timeout,
  type Stage,
} from "./support/reading-stage.ts";
import type { Reading } from "./support/session-reading.ts";

let directory: string;
let site: Server;
let origin: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnwire-runtime-"));
  const page = (await bundle("session-reading-page.ts")).replaceAll("</script", "<\\/script");
  site = createServer((_request, response) => {
    const html = `<!doctype html><meta charset="utf-8"><script type="module">${page}</script>`;
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});

afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await rm(directory, { recursive: true, force: true });
});

describe("the client through cuts and a server that dies in mid-turn", { timeout }, () => {
  test.each(["auto", "sse"] as const)("in Chromium with transport %s", async (transport) => {
    const stage = await setStage({ directory, origins: [origin] }, ...breaks);
    const { read } = await openPage(stage, transport);
    const [reading] = await Promise.all([read(), play(stage)]);
    expect(reading.runtime).toBe("browser");
    expect(stage.proxy.upgradeCount > 0).toBe(transport === "auto");
    expect(reading).toEqual(await replay(stage, reading));
  });

  test("in Chromium where no WebSocket gets through", async () => {
    const stage = await setStage({ directory, origins: [origin] });
    stage.proxy.refusesUpgrades = true;
    const { read } = await openPage(stage, "auto");
    const [reading] = await Promise.all([read(), play(stage)]);
    expect(stage.proxy.upgradeCount).toBeGreaterThan(0);
    expect(stage.proxy.streamCount).toBeGreaterThan(0);
    expect(reading).toEqual(await replay(stage, reading));
  });

  test("in ten tabs at once, where a browser opens six connections of HTTP/1.1", async () => {
    const stage = await setStage({ directory, origins: [origin] });
    const { page, read } = await openPage(stage, "auto");
    const tabs = [read];
    while (tabs.length < 10) tabs.push((await openPage(stage, "auto", page.context())).read);
    const [readings] = await Promise.all([
      Promise.all(tabs.map((readTab) => readTab())),
      play(stage),
    ]);
    for (const reading of readings) expect(reading).toEqual(await replay(stage, reading));
  });

  test("in a tab that is frozen while it happens", async () => {
    const stage = await setStage({ directory, origins: [origin] });
    const { page, read } = await openPage(stage, "auto");
    const reading = read();
    const devtools = await page.context().newCDPSession(page);
    await say(stage, "/thinking", "done");
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    await playOn(stage);
    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    expect(await reading).toEqual(await replay(stage, await reading));
  });

  test("in a page that is offline while it happens", async () => {
    const stage = await setStage({ directory, origins: [origin] });
    const { page, read } = await openPage(stage, "auto");
    const reading = read();
    await say(stage, "/thinking", "done");
    await page.context().setOffline(true);
    await playOn(stage);
    await page.context().setOffline(false);
    expect(await reading).toEqual(await replay(stage, await reading));
  });
});

async function openPage(
  stage: Stage,
  transport: TransportName,
  context?: BrowserContext,
): Promise<{ page: Page; read: () => Promise<Reading> }> {
  const page = context ? await context.newPage() : await openBlankPage();
  await page.goto(origin);
  await page.waitForFunction("globalThis.readSession !== undefined");
  const asked = JSON.stringify(readingOptions(stage, transport));
  const read = (): Promise<Reading> => page.evaluate(`readSession(${asked})`);
  return { page, read };
}
