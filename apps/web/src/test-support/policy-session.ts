import { draft, PolicyInfo } from "@turnwire/protocol";
import type { Runtime } from "@turnwire/runtime";
import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { startAppServer } from "./app-server.ts";
import { openSession, say } from "./browser.ts";
import { changedDemo, requestCard, untilArmed } from "./request.ts";

/** The demo agent, whose requests the policy asks for. */
export function askingDemo(): Runtime {
  return changedDemo((event) =>
    event.type === "permission_request"
      ? [
          draft("permission_request", {
            ...event.data,
            suggestions: [{ type: "setMode", mode: "bypassPermissions" }],
            policy: {
              rule: "project_code",
              reason: "it runs code of the project",
              mode: "planner",
              policy_version: "0123456789abcdef",
              suggested_rule: { kind: "argv", argv: ["npm", "test"], mode: "planner" },
            },
          }),
        ]
      : [event],
  );
}

export async function openCard() {
  const server = await startAppServer({ runtimes: [askingDemo()] });
  const { page, sessionId } = await openSession(server);
  await say(page, "/permission");
  const card = requestCard(page, "Run this command?");
  await untilArmed(card);
  return { server, page, sessionId, card };
}

export async function openPolicy(page: Page) {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Policy" }).click();
  return page.getByRole("dialog", { name: "Policy" });
}

/** The server's answers as somebody without admin rights gets them. */
export async function withoutRights(page: Page): Promise<void> {
  await page.route(/\/policy(\?|$)/, async (route) => {
    const response = await route.fetch();
    const info = PolicyInfo.parse(await response.json());
    await route.fulfill({ response, json: { ...info, files: [], rules: [], can_edit: false } });
  });
  // A question that is still open when the test ends.
  onTestFinished(() => page.unrouteAll({ behavior: "ignoreErrors" }));
}
