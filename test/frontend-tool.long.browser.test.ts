import { describe, expect, test } from "vitest";
import {
  answered,
  callTool,
  kill,
  openTab,
  startSession,
  useColorPage,
} from "./support/color-page.ts";

useColorPage();

describe("a frontend tool in two tabs", () => {
  test("is completed by the other when the tab that performs it is killed", async () => {
    const first = await openTab({ isHeld: true });
    await startSession(first.tab);
    await callTool(first.tab);
    // It has claimed the call and performed the tool; its answer is on its way and gets lost with it.
    await expect.poll(() => first.answers).toHaveLength(1);
    const second = await openTab({ url: first.tab.url() });
    await second.tab.getByText("Working on choose_color").waitFor();
    expect(second.answers).toEqual([]);
    await kill(first.tab);
    // The claim of the dead tab has to run out first.
    await second.tab.getByText(answered).waitFor();
    expect(second.answers).toHaveLength(1);
  });
});
