import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  messageField,
  openSession,
  say,
  scrollByHand,
} from "../../test-support/browser.ts";
import { says } from "../../test-support/recorded-session.ts";
import { changedDemo, requestCard, untilArmed } from "../../test-support/request.ts";
import { resolution, askForCommand } from "../../test-support/permission-card.ts";

test("a command can be denied and the turn stopped at once", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const card = await askForCommand(page);
  await card.getByRole("button", { name: "Deny and stop" }).click();
  await expectVisible(conversation(page).getByText("Denied", { exact: true }));
  await expectVisible(page.getByRole("button", { name: "Send" }));
  expect(
    await conversation(page)
      .getByText(/I did not do it/)
      .count(),
  ).toBe(0);
});

test.each(["e", "a"])("going back from %s by mouse leaves the card with its keys", async (key) => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  const card = await askForCommand(page);
  await page.keyboard.press(key);
  await card.getByRole("button", { name: "Back" }).click();
  await expect.poll(() => card.evaluate((element) => element.matches(":focus"))).toBe(true);
  await page.keyboard.press("n");
  await page.keyboard.type("Not yet");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => resolution(server, sessionId))
    .toMatchObject([{ allowed: false, message: "Not yet" }]);
});

test("a change of a file is shown as a diff before it is made", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/permission edit");
  const card = requestCard(page, "Change src/greet.ts?");
  await expectVisible(card.getByRole("region", { name: "Changes" }).getByText("Hello"));
  await card.getByRole("button", { name: "Allow once" }).click();
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
});

test("who answers too late sees what was answered", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { expectedErrors: ["409"] });
  const card = await askForCommand(page);
  const { events } = await server.client.sessions.eventPage(sessionId, { limit: 1000 });
  const asked = events.find(({ type }) => type === "permission_request");
  if (asked?.type !== "permission_request") throw new Error("Nothing was asked.");
  // The page hears of nothing while its answer is on the way.
  await page.route("**/commands", async (route) => {
    await server.client.sessions.command(sessionId, {
      type: "permission_response",
      correlation_id: asked.data.correlation_id,
      behavior: "deny",
    });
    await route.continue();
  });
  await card.getByRole("button", { name: "Allow once" }).click();
  await expectVisible(page.getByText("Denied: someone else answered first", { exact: true }));
});

test("a plan is read as a document, and sent back with what should be different", async () => {
  const plan = "# The plan\n\n1. Read\n2. Write";
  const asked = { tool_name: "ExitPlanMode", tool_input: { plan }, context: { plan } };
  const runtime = changedDemo((draft) =>
    draft.type === "permission_request"
      ? [{ ...draft, data: { ...draft.data, ...asked } }]
      : [draft],
  );
  const server = await startAppServer({ runtimes: [runtime] });
  const { page } = await openSession(server);
  await say(page, "/permission");
  const card = requestCard(page, "Approve this plan?");
  await expectVisible(card.getByRole("heading", { name: "The plan" }));
  await expect.poll(() => page.getByRole("region", { name: "Plan" }).count()).toBe(1);
  await expect.poll(() => card.getByRole("button", { name: "Edit" }).count()).toBe(0);
  await expectAccessible(page);
  await card.getByLabel("What should be different?").fill("Test first");
  await card.getByRole("button", { name: "Keep planning" }).click();
  await expectVisible(page.getByText("Plan sent back: Test first", { exact: true }));
  await say(page, "/permission");
  await untilArmed(card);
  await page.keyboard.press("y");
  await expectVisible(page.getByText("Plan approved", { exact: true }));
});

test("a request out of sight is mentioned above the message field, and shown from there", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "/long 400");
  await expectVisible(conversation(page).getByText(/Paragraph 400 of 400/));
  await scrollByHand(page, -1_000_000);
  await messageField(page).focus();
  const before = await messageField(page).boundingBox();
  await server.client.sessions.message(sessionId, { message: "/permission" });
  const bar = page.getByRole("button", { name: /1 request needs you/ });
  await expectVisible(bar);
  expect(await messageField(page).boundingBox()).toEqual(before);
  expect(await conversation(page).evaluate((log) => log.scrollTop)).toBe(0);
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await bar.click();
  await untilArmed(requestCard(page, "Run this command?"));
  await bar.waitFor({ state: "detached" });
});

test("a request far above what an agent said since is shown where it stands", async () => {
  const later = Array.from({ length: 300 }, (_, index) =>
    says(`Meanwhile ${index}.\n\n`, `later-${index}`),
  );
  const runtime = changedDemo((draft) => {
    if (draft.type !== "permission_request") return [draft];
    const { turn_id } = draft;
    return [draft, ...later.map((said) => (turn_id === undefined ? said : { ...said, turn_id }))];
  });
  const server = await startAppServer({ runtimes: [runtime] });
  const { page } = await openSession(server);
  await say(page, "/long 100");
  await expectVisible(conversation(page).getByText(/Paragraph 100 of 100/));
  await say(page, "/permission");
  await expectVisible(conversation(page).getByText("Meanwhile 299."));
  const card = requestCard(page, "Run this command?");
  await expect.poll(() => card.count()).toBe(0);
  const bar = page.getByRole("button", { name: /1 request needs you/ });
  await bar.click();
  await untilArmed(card);
  await bar.waitFor({ state: "detached" });
  await page.keyboard.press("y");
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
});
