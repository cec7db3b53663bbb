import { describe, expect, test } from "vitest";
import { openPage, readThroughCuts, setPageStage, useReadingSite } from "./support/page-reading.ts";
import { playOn, replay, say, timeout } from "./support/reading-stage.ts";

useReadingSite();

describe("the client through cuts and a server that dies in mid-turn", { timeout }, () => {
  test("in Chromium with transport auto", async () => {
    const { reading, hasUpgraded, replayed } = await readThroughCuts("auto");
    expect(reading.runtime).toBe("browser");
    expect(hasUpgraded).toBe(true);
    expect(reading).toEqual(replayed);
  });

  test("in a page that is offline while it happens", async () => {
    const stage = await setPageStage();
    const { page, read } = await openPage(stage, "auto");
    const reading = read();
    await say(stage, "/thinking", "done");
    await page.context().setOffline(true);
    await playOn(stage);
    await page.context().setOffline(false);
    expect(await reading).toEqual(await replay(stage, await reading));
  });
});
