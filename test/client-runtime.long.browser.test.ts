import { describe, expect, test } from "vitest";
import { openPage, readThroughCuts, setPageStage, useReadingSite } from "./support/page-reading.ts";
import { play, playOn, replay, say, timeout } from "./support/reading-stage.ts";

useReadingSite();

describe("the client through cuts and a server that dies in mid-turn", { timeout }, () => {
  test("in Chromium with transport sse", async () => {
    const { reading, hasUpgraded, replayed } = await readThroughCuts("sse");
    expect(reading.runtime).toBe("browser");
    expect(hasUpgraded).toBe(false);
    expect(reading).toEqual(replayed);
  });

  test("in Chromium where no WebSocket gets through", async () => {
    const stage = await setPageStage();
    stage.proxy.refusesUpgrades = true;
    const { read } = await openPage(stage, "auto");
    const [reading] = await Promise.all([read(), play(stage)]);
    expect(stage.proxy.upgradeCount).toBeGreaterThan(0);
    expect(stage.proxy.streamCount).toBeGreaterThan(0);
    expect(reading).toEqual(await replay(stage, reading));
  });

  test("in ten tabs at once, where a browser opens six connections of HTTP/1.1", async () => {
    const stage = await setPageStage();
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
    const stage = await setPageStage();
    const { page, read } = await openPage(stage, "auto");
    const reading = read();
    const devtools = await page.context().newCDPSession(page);
    await say(stage, "/thinking", "done");
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    await playOn(stage);
    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    expect(await reading).toEqual(await replay(stage, await reading));
  });
});
