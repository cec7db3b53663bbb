import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  choose,
  conversation,
  expectVisible,
  messageField,
  openApp,
  openSession,
  say,
} from "../../test-support/browser.ts";
import { requestCard, untilArmed } from "../../test-support/request.ts";
import {
  askingDemo,
  openCard,
  openPolicy,
  withoutRights,
} from "../../test-support/policy-session.ts";

test("a new session gets the policy mode that was chosen, which can be changed while it runs", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await choose(page, "Policy", /^Planner/);
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "First message" }).fill("Hello");
  await page.getByRole("button", { name: "Start the session" }).click();
  await messageField(page).waitFor();
  const list = async () => (await server.client.sessions.list()).sessions;
  await expect.poll(async () => (await list())[0]?.policy_mode).toBe("planner");
  await choose(page, "Policy", /^Implementation/);
  await expect.poll(async () => (await list())[0]?.policy_mode).toBe("implementation");
  await choose(page, "Policy", /^No policy/);
  await expect.poll(async () => (await list())[0]?.policy_mode).toBeUndefined();
});

test("the card says why the policy asks, and offers a rule that can be changed before it is saved", async () => {
  const { server, page, card } = await openCard();
  await expectVisible(card.getByText("It runs code of the project."));
  await expectVisible(card.getByText("project_code", { exact: true }));
  // Only a rule of the policy answers for the next time.
  await expectVisible(card.getByRole("button", { name: "Allow from now on…" }));
  expect(await card.getByRole("button", { name: "Allow always…" }).count()).toBe(0);
  await expectAccessible(page);
  await page.keyboard.press("a");
  const field = card.getByRole("textbox", { name: "Commands that begin with" });
  await expect.poll(() => field.inputValue()).toBe("npm test");
  await expectAccessible(page);
  await field.fill(" ");
  const save = card.getByRole("button", { name: "Save the rule and allow" });
  await save.click();
  await expectVisible(card.getByRole("alert").getByText(/^Write at least the first word/));
  await field.fill("npm run test");
  await card.getByRole("combobox", { name: "Mode" }).selectOption("");
  await card.getByRole("combobox", { name: "Where" }).selectOption(server.root);
  await save.click();
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
  const { rules } = await server.client.policy.get();
  expect(rules).toMatchObject([
    { kind: "argv", argv: ["npm", "run", "test"], project: server.root, verdict: "allow" },
  ]);
  expect(rules[0]).not.toHaveProperty("mode");
});

test("a rule that was saved from a card answers the next time, until it is revoked", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  const { sessions, policy } = server.client;
  await sessions.command(sessionId, { type: "set_policy_mode", mode: "planner" });
  const count = async (type: string) => {
    const { events } = await sessions.eventPage(sessionId, { limit: 1000 });
    return events.filter((event) => event.type === type).length;
  };
  const card = requestCard(page, "Run this command?");
  await say(page, "/policy");
  await untilArmed(card);
  await page.keyboard.press("a");
  await card.getByRole("button", { name: "Save the rule and allow" }).click();
  await expect.poll(() => count("done")).toBe(1);
  const [rule] = (await policy.get()).rules;
  expect(rule).toMatchObject({ kind: "host", host: "example.com" });
  await say(page, "/policy");
  await expect.poll(() => count("done")).toBe(2);
  expect(await count("permission_request")).toBe(1);
  await policy.removeRule(rule?.id ?? "");
  await say(page, "/policy");
  await expectVisible(card);
});

test("letters and Escape in the form of a rule answer nothing", async () => {
  const { server, card } = await openCard();
  await card.getByRole("button", { name: "Allow from now on…" }).click();
  // Letters that choose an option answer nothing.
  await card.getByRole("combobox", { name: "Mode" }).press("y");
  await card.getByRole("checkbox", { name: "Only with exactly these words" }).press("y");
  await card.getByRole("textbox", { name: "Commands that begin with" }).press("Escape");
  await expectVisible(card.getByRole("button", { name: "Allow once" }));
  expect((await server.client.policy.get()).rules).toEqual([]);
});

test("without admin rights, a person sees before any click that they cannot save rules, and can still allow once", async () => {
  const server = await startAppServer({ runtimes: [askingDemo()] });
  const { page } = await openSession(server);
  await withoutRights(page);
  await say(page, "/permission");
  const card = requestCard(page, "Run this command?");
  await untilArmed(card);
  const always = card.getByRole("button", { name: "Allow from now on…" });
  await expect.poll(() => always.isDisabled()).toBe(true);
  const reason = "Only an admin of this server can save rules.";
  await expectVisible(card.getByText(reason));
  expect(await always.evaluate((button) => button.ariaDescribedByElements?.[0]?.textContent)).toBe(
    reason,
  );
  await expectAccessible(page);
  // Its key opens no form either.
  await page.keyboard.press("a");
  expect(await card.getByRole("textbox", { name: "Commands that begin with" }).count()).toBe(0);
  await page.keyboard.press("y");
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
  const dialog = await openPolicy(page);
  await expectVisible(dialog.getByText(/^Only an admin of this server can see and change/));
  await expectAccessible(page);
});
