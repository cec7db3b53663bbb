import { describe, expect, test } from "vitest";
import { answered, callTool, openTab, startSession, useColorPage } from "./support/color-page.ts";

useColorPage();

describe("a frontend tool in two tabs", () => {
  test("is performed once, and both see the answer", async () => {
    const first = await openTab();
    await startSession(first.tab);
    const second = await openTab({ url: first.tab.url() });
    await second.tab.getByLabel("Message").waitFor();
    await callTool(first.tab);
    await first.tab.getByText(answered).waitFor();
    await second.tab.getByText(answered).waitFor();
    expect([...first.answers, ...second.answers]).toHaveLength(1);
  });
});
