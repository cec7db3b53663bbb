import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  messageField,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";
import { changedDemo, requestCard, untilArmed } from "../../test-support/request.ts";
import { resolution, askForCommand } from "../../test-support/permission-card.ts";

test("a card takes the focus when it comes, shows the exact command, and y allows it", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  const card = await askForCommand(page);
  await expectVisible(card.getByLabel("Command").getByText("npm test", { exact: true }));
  const aloud = page.locator("[aria-live=assertive]");
  expect(await aloud.innerText()).toMatch(/^The agent asks: Run this command\? npm test/);
  await page.keyboard.press("y");
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
  await expectVisible(agentMessage(page).getByText("Done, with this input:"));
  expect(await resolution(server, sessionId)).toMatchObject([
    { allowed: true, outcome: "answered" },
  ]);
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
});

test("n asks for a reason, and Enter denies with it", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  const card = await askForCommand(page);
  await page.keyboard.press("n");
  await expect
    .poll(() => card.getByLabel("Reason or instructions (optional)").inputValue())
    .toBe("");
  await page.keyboard.type("Use yarn, not npm");
  await page.keyboard.press("Enter");
  await expectVisible(conversation(page).getByText("Denied: Use yarn, not npm", { exact: true }));
  await expectVisible(agentMessage(page).getByText("I did not do it: Use yarn, not npm"));
  expect(await resolution(server, sessionId)).toMatchObject([
    { allowed: false, message: "Use yarn, not npm" },
  ]);
});

test("e edits the command, which runs as it was changed", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  const card = await askForCommand(page);
  await page.keyboard.press("e");
  const field = card.getByRole("textbox", { name: "Changed input" });
  await expect.poll(() => field.inputValue()).toBe("npm test");
  await field.fill(" ");
  await field.press("Control+Enter");
  await expectVisible(card.getByRole("alert"));
  await field.fill("npm run lint");
  await field.press("Control+Enter");
  await expectVisible(conversation(page).getByText("Allowed with changes", { exact: true }));
  // The record shows what ran, and what it was changed from.
  const row = conversation(page).getByRole("button", { name: /^Bash npm run lint/ });
  await row.click();
  await expectVisible(conversation(page).locator("pre", { hasText: "$ npm run lint" }));
  await expectVisible(conversation(page).getByText("npm test", { exact: true }));
  await page.reload();
  await expectVisible(row);
  expect(await resolution(server, sessionId)).toMatchObject([
    { allowed: true, updated_input: { command: "npm run lint" } },
  ]);
});

test("what is allowed always is said before, and not asked for again", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const card = await askForCommand(page);
  await page.keyboard.press("a");
  await expectVisible(card.getByRole("checkbox", { name: "Every use of Bash" }));
  await page.keyboard.press("Enter");
  await expectVisible(conversation(page).getByText("Allowed always", { exact: true }));
  await say(page, "/permission");
  await expect.poll(() => conversation(page).getByText("Done, with this input:").count()).toBe(2);
  await expect.poll(() => requestCard(page, "Run this command?").count()).toBe(0);
  await page.getByRole("button", { name: "1 always allowed" }).click();
  const list = page.getByRole("dialog", { name: "Always allowed in this session" });
  await expectVisible(list.getByText("Every use of Bash"));
  await expectAccessible(page);
  await list.getByRole("button", { name: "Revoke: Every use of Bash" }).click();
  await expect.poll(() => page.getByRole("button", { name: "1 always allowed" }).count()).toBe(0);
  await askForCommand(page);
});

test("letters that were meant for the message never answer: typed words stay where they are", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await messageField(page).fill("yes, and then");
  await server.client.sessions.message(sessionId, { message: "/permission" });
  const card = requestCard(page, "Run this command?");
  await expectVisible(card);
  await page.keyboard.type(" any");
  await expect.poll(() => messageField(page).inputValue()).toBe("yes, and then any");
  expect(await resolution(server, sessionId)).toEqual([]);
  await page.keyboard.press("Alt+r");
  await untilArmed(card);
  await page.keyboard.press("Escape");
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
});

test("letters that come at the moment a card takes the focus answer nothing", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await page.clock.install();
  await page.reload();
  // The second message comes over a live connection; one still being made would time out when the clock jumps.
  for (const message of ["First", "Second"]) {
    await server.client.sessions.message(sessionId, { message });
    await expectVisible(ownMessage(page, message));
  }
  await page.clock.pauseAt(Date.now() + 60_000);
  await server.client.sessions.message(sessionId, { message: "/permission" });
  const card = requestCard(page, "Run this command?");
  await expect.poll(() => card.evaluate((element) => element.matches(":focus"))).toBe(true);
  await page.keyboard.press("y");
  await page.clock.runFor(1_000);
  await untilArmed(card);
  expect(await resolution(server, sessionId)).toEqual([]);
  await page.keyboard.press("y");
  await card.waitFor({ state: "detached" });
});

test("of two tabs the first answer counts, and the other says so", async () => {
  const server = await startAppServer();
  const first = await openSession(server);
  const second = await first.openTab();
  await second.page.goto(first.page.url());
  await messageField(second.page).waitFor();
  await say(first.page, "/permission");
  await expectVisible(requestCard(second.page, "Run this command?"));
  await requestCard(first.page, "Run this command?")
    .getByRole("button", { name: "Deny", exact: true })
    .click();
  await expectVisible(second.page.getByText("Denied in another window", { exact: true }));
  await expectVisible(first.page.getByText("Denied", { exact: true }));
});

test("a request that is not answered in time says that it has expired", async () => {
  const server = await startAppServer({ requestTimeoutMs: 1_500 });
  const { page } = await openSession(server);
  await say(page, "/permission");
  await expectVisible(page.getByText("Expired: no answer in time"));
  await expectVisible(page.getByRole("button", { name: "Send" }));
});

test("a request whose turn is stopped says that it is no longer asked", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await askForCommand(page);
  await page.keyboard.press("Control+.");
  await expectVisible(page.getByText("Cancelled: the turn ended"));
});

test("of two requests the next one gets the focus, and no key answers both", async () => {
  const runtime = changedDemo((draft) => {
    if (draft.type !== "permission_request") return [draft];
    const { correlation_id } = draft.data;
    const tool_input = { command: "npm run lint" };
    const first = { ...draft.data, correlation_id: `${correlation_id}-first`, tool_input };
    return [{ ...draft, data: first }, draft];
  });
  const server = await startAppServer({ runtimes: [runtime] });
  const { page, sessionId } = await openSession(server);
  await say(page, "/permission");
  const cards = requestCard(page, "Run this command?");
  const [lint, tests] = ["npm run lint", "npm test"].map((command) =>
    cards.filter({ hasText: command }),
  );
  if (!lint || !tests) throw new Error("There are two cards.");
  await untilArmed(lint);
  await page.keyboard.down("y");
  await lint.waitFor({ state: "detached" });
  await untilArmed(tests);
  await page.keyboard.down("y");
  expect(await resolution(server, sessionId)).toHaveLength(1);
  await page.keyboard.up("y");
  await page.keyboard.press("y");
  await tests.waitFor({ state: "detached" });
  expect(await resolution(server, sessionId)).toHaveLength(2);
});
