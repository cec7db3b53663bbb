import { draft } from "@turnwire/protocol";
import { demo } from "@turnwire/runtime/demo";
import type { Runtime } from "@turnwire/runtime";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp, ownMessage } from "../../test-support/browser.ts";

const said = [
  draft("user_message", {
    message_id: "m1",
    content: [{ type: "text", text: "Said in a terminal" }],
    delivery: "turn",
  }),
  draft("turn_started", { turn_id: "t1", message_id: "m1" }),
  draft("done", { turn_id: "t1" }),
];

/** The demo runtime with sessions that it made by itself. */
function runtimeWithPast(titles: readonly string[]): Runtime {
  const past = titles.map((title, index) => ({
    provider_session_id: `past-${index}`,
    title,
    updated_at: new Date(Date.UTC(2026, 0, titles.length - index)).toISOString(),
    resume_command: `demo --resume past-${index}`,
  }));
  return {
    ...demo({ delayMs: 0 }),
    history: {
      list: async () => past,
      read: async () => said.map((event) => ({ ...event, ts: "2026-01-01T00:00:00.000Z" })),
    },
  };
}

test("the newest sessions of the machine are offered at once, and one continues here", async () => {
  const server = await startAppServer({ runtimes: [runtimeWithPast(["A", "B", "C", "D"])] });
  const { page } = await openApp(server);
  await expectVisible(page.getByRole("link", { name: "All 4" }));
  await expect.poll(() => page.getByRole("button", { name: /^Import / }).count()).toBe(3);
  await page.getByRole("button", { name: "Import A" }).click();
  await expectVisible(ownMessage(page, "Said in a terminal"));
  await expectVisible(page.getByRole("heading", { name: "A", exact: true }));
});

test("all of them are on a page of their own, which says so where there are none", async () => {
  const server = await startAppServer({ runtimes: [runtimeWithPast(["A", "B", "C", "D"])] });
  const { page } = await openApp(server);
  await page.goto(`${server.url}/import`);
  await expectVisible(page.getByRole("button", { name: "Import D" }));
  await expectAccessible(page);
  await page.getByRole("searchbox", { name: "Find a session to import" }).fill("b demo");
  await page.getByRole("button", { name: "Import D" }).waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("button", { name: /^Import / }).count()).toBe(1);
  const bare = await startAppServer();
  const { page: empty } = await openApp(bare);
  await empty.getByRole("link", { name: "Import" }).click();
  await expectVisible(empty.getByText("There are none."));
});
