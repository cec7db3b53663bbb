import { draft, type EventDraft } from "@turnwire/protocol";
import { createMemoryStore } from "@turnwire/server";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { conversation, expectVisible, openApp } from "../../test-support/browser.ts";
import { recordSession, says, turn, uses } from "../../test-support/recorded-session.ts";

const basis = { mode: "planner", policy_version: "0123456789abcdef" };

function decided(
  tool_use_id: string,
  decision: {
    readonly verdict: "allow" | "ask" | "deny";
    readonly rule: string;
    readonly reason: string;
  },
): EventDraft {
  return draft("policy_decision", { tool_use_id, tool: "Bash", ...basis, ...decision });
}

async function openDecisions(options: Parameters<typeof openApp>[1] = {}) {
  const store = createMemoryStore();
  const id = await recordSession(
    store,
    turn("t1", [
      says("I look around."),
      decided("a", { verdict: "allow", rule: "inspect", reason: "it only looks" }),
      ...uses({ id: "a", tool: "Bash", start: { command: "ls -la" } }),
      decided("b", {
        verdict: "deny",
        rule: "write.outside",
        reason: "it writes /etc/hosts, outside the roots",
      }),
      ...uses({
        id: "b",
        tool: "Bash",
        start: { command: "echo 127.0.0.1 example.com >> /etc/hosts" },
        result: { is_error: true, output: "Refused by the policy of this session" },
      }),
    ]),
  );
  const server = await startAppServer({ store });
  const opened = await openApp(server, options);
  await opened.page.goto(`${server.url}/s/${id}`);
  return opened;
}

test("a refused tool call says so in its row, and why with rule, mode and version when it is opened", async () => {
  const { page } = await openDecisions();
  const row = conversation(page).getByRole("button", { name: /example\.com/ });
  await expectVisible(row.getByText("Refused by policy"));
  await row.click();
  const log = conversation(page);
  await expectVisible(log.getByText("It writes /etc/hosts, outside the roots."));
  await expectVisible(log.getByText("write.outside", { exact: true }));
  await expectVisible(log.getByText("planner", { exact: true }));
  await expectVisible(log.getByText("01234567", { exact: true }));
  await expectAccessible(page);
});

test("an allowed call has only a mark, which screen readers read, and its reason when it is opened", async () => {
  const { page } = await openDecisions();
  const row = conversation(page).getByRole("button", { name: /ls -la.*Allowed by policy/ });
  await expectVisible(row);
  await row.click();
  await expectVisible(conversation(page).getByText("It only looks."));
  expect(await conversation(page).getByText("Refused by policy:").count()).toBe(0);
});

test("on a phone nothing of a decision is cut off", async () => {
  const { page } = await openDecisions({ viewport: { width: 390, height: 844 } });
  const row = conversation(page).getByRole("button", { name: /example\.com/ });
  await expectVisible(row.getByText("Refused by policy"));
  await row.click();
  await expectVisible(conversation(page).getByText("It writes /etc/hosts, outside the roots."));
  await expect
    .poll(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
    .toBe(true);
});
