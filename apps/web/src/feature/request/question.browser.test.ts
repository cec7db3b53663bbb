import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { agentMessage, expectVisible, openSession, say } from "../../test-support/browser.ts";
import { changedDemo, requestCard, untilArmed } from "../../test-support/request.ts";

test("questions are answered by one option, by several, and with a note", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/question");
  const card = requestCard(page, "2 questions for you");
  const answer = card.getByRole("button", { name: "Answer", exact: true });
  expect(await answer.isDisabled()).toBe(true);
  await card.getByRole("radio", { name: /Postgres/ }).check();
  await card.getByRole("checkbox", { name: /Login/ }).check();
  await card.getByRole("checkbox", { name: /Export/ }).check();
  await expectVisible(card.getByText("( CSV )  ( JSON )"));
  await card.getByRole("button", { name: "Add a note" }).first().click();
  await page.keyboard.type("version 17");
  await expectAccessible(page);
  await answer.click();
  await expectVisible(agentMessage(page).getByText("Postgres (version 17)"));
  await expectVisible(agentMessage(page).getByText("Login, Export"));
});

test("an answer in one's own words counts instead of an option, and joins several", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/question");
  const card = requestCard(page, "2 questions for you");
  const own = card.getByRole("textbox", { name: "Other answer" });
  await card.getByRole("radio", { name: /SQLite/ }).check();
  await own.first().fill("A text file");
  expect(await card.getByRole("radio", { name: "Other" }).isChecked()).toBe(true);
  await card.getByRole("checkbox", { name: /Search/ }).check();
  await own.last().fill("Imprint");
  await own.last().press("Enter");
  await expectVisible(agentMessage(page).getByText("A text file"));
  await expectVisible(agentMessage(page).getByText("Search, Imprint"));
  await page.getByRole("button", { name: /^Answered/ }).click();
  await expectVisible(page.getByText("Search, Imprint").first());
});

test("questions can be left to the agent", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/question");
  await page.getByRole("button", { name: "Skip" }).click();
  await expectVisible(agentMessage(page).getByText("Then I will choose."));
});

test("a hook is let pass by one key, or blocked with a reason", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/hook");
  const card = requestCard(page, "A hook asks: run this?");
  await expectVisible(card.getByText("rm -rf build", { exact: true }));
  await untilArmed(card);
  await expectAccessible(page);
  await page.keyboard.press("y");
  await expectVisible(page.getByText("The hook continued", { exact: true }));
  await say(page, "/hook");
  await untilArmed(card);
  await page.keyboard.press("n");
  await page.keyboard.type("Too dangerous");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByText("The hook blocked it: Too dangerous", { exact: true }));
});

test("a question without options, as forms of MCP servers ask them, is answered in words", async () => {
  const questions = [{ question: "Which name?", header: "tickets", options: [] }];
  const runtime = changedDemo((draft) =>
    draft.type === "question_request"
      ? [{ ...draft, data: { ...draft.data, questions } }]
      : [draft],
  );
  const server = await startAppServer({ runtimes: [runtime] });
  const { page } = await openSession(server);
  await say(page, "/question");
  const card = requestCard(page, "A question for you");
  await card.getByRole("textbox", { name: "Your answer" }).fill("Ada");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expectVisible(agentMessage(page).getByText("Which name? Ada"));
});
