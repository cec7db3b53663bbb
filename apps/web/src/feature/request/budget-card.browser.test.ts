import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  openSession,
  say,
} from "../../test-support/browser.ts";
import { requestCard } from "../../test-support/request.ts";

/** A session whose budget of one turn is used up while a second message waits. */
async function spendBudget() {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await server.client.sessions.command(sessionId, {
    type: "set_budget",
    budget: { turns: 1 },
  });
  await say(page, "The first");
  await expectVisible(agentMessage(page).getByText(/I heard “The first”/));
  await say(page, "The second");
  const card = requestCard(page, "The budget is used up");
  return { page, card };
}

test("when the budget is used up the card says so, and the agent continues once it is raised", async () => {
  const { page, card } = await spendBudget();
  await expectVisible(card.getByText("Turns: 1 turn used of 1 turn"));
  await expectAccessible(page);
  const field = card.getByRole("textbox", { name: "New limit: Turns" });
  await expect.poll(() => field.inputValue()).toBe("2");
  await field.fill("no");
  await card.getByRole("button", { name: "Raise and continue" }).click();
  await expectVisible(card.getByRole("alert").getByText("Turns: enter a number greater than 0."));
  await field.fill("5");
  await field.press("Escape");
  await page.keyboard.press("y");
  await expectVisible(conversation(page).getByText("Budget raised", { exact: true }));
  await expectVisible(agentMessage(page).getByText(/I heard “The second”/));
  await expectVisible(page.getByRole("button", { name: "Budget: 2 of 5 turns" }));
});

test("a person can stop at the budget", async () => {
  const { page, card } = await spendBudget();
  await card.getByRole("button", { name: "Stop here" }).click();
  await expectVisible(conversation(page).getByText("Stopped at the budget", { exact: true }));
  expect(
    await conversation(page)
      .getByText(/I heard “The second”/)
      .count(),
  ).toBe(0);
});
