import { draft, PolicyInfo } from "@turnwire/protocol";
import { builtInPolicy, type Runtime } from "@turnwire/server";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
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
import { changedDemo, requestCard, untilArmed } from "../../test-support/request.ts";

/** The demo agent, whose requests the policy asks for. */
function askingDemo(): Runtime {
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

async function openCard() {
  const server = await startAppServer({ runtimes: [askingDemo()] });
  const { page, sessionId } = await openSession(server);
  await say(page, "/permission");
  const card = requestCard(page, "Run this command?");
  await untilArmed(card);
  return { server, page, sessionId, card };
}

async function openPolicy(page: Page) {
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Policy" }).click();
  return page.getByRole("dialog", { name: "Policy" });
}

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

test("a new session has the server's default mode, unless a person chooses none", async () => {
  const server = await startAppServer({ defaultPolicyMode: "planner" });
  const { page } = await openApp(server);
  const policy = page.getByRole("combobox", { name: "Policy" });
  await expect.poll(() => policy.innerText()).toBe("Server default (Planner)");
  const start = async (): Promise<string | undefined> => {
    await page.getByRole("textbox", { name: "First message" }).fill("Hello");
    await page.getByRole("button", { name: "Start the session" }).click();
    await messageField(page).waitFor();
    const [, id = ""] = new URL(page.url()).pathname.split("/s/");
    return (await server.client.sessions.get(id)).policy_mode;
  };
  expect(await start()).toBe("planner");
  await page.goto(server.url);
  await choose(page, "Policy", /^No policy/);
  await expectAccessible(page);
  expect(await start()).toBeUndefined();
  // The session says what it has; the default is no choice any more.
  await policy.click();
  await expectVisible(page.getByRole("option", { name: /^No policy/ }));
  expect(await page.getByRole("option", { name: /^Server default/ }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.goto(server.url);
  await expect.poll(() => policy.innerText()).toBe("No policy");
  await choose(page, "Policy", /^Server default/);
  await expect.poll(() => policy.innerText()).toBe("Server default (Planner)");
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

/** The server's answers as somebody gets them who is no admin. */
async function withoutRights(page: Page): Promise<void> {
  await page.route(/\/policy(\?|$)/, async (route) => {
    const response = await route.fetch();
    const info = PolicyInfo.parse(await response.json());
    await route.fulfill({ response, json: { ...info, files: [], rules: [], can_edit: false } });
  });
  // A question that is still open when the test ends.
  onTestFinished(() => page.unrouteAll({ behavior: "ignoreErrors" }));
}

test("who is no admin sees before any click that they cannot save rules, and can still allow once", async () => {
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

test("rules are listed, changed and revoked", async () => {
  const server = await startAppServer();
  await server.client.policy.addRule({ kind: "argv", argv: ["npm", "run"], mode: "planner" });
  const { page } = await openApp(server);
  const dialog = await openPolicy(page);
  await expectVisible(dialog.getByText("in the mode Planner, in every project"));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^Edit: Run npm run/ }).click();
  await dialog.getByRole("textbox", { name: "Commands that begin with" }).fill("npm run 'a b'");
  await dialog.getByRole("combobox", { name: "Mode" }).selectOption("");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save the rule" }).click();
  await expectVisible(dialog.getByText("npm run 'a b'", { exact: true }));
  await expectVisible(dialog.getByText("in every mode, in every project"));
  expect((await server.client.policy.get()).rules).toMatchObject([{ argv: ["npm", "run", "a b"] }]);
  await dialog.getByRole("button", { name: /^Revoke:/ }).click();
  await expectVisible(dialog.getByText(/^Nothing\. When an agent asks/));
  expect((await server.client.policy.get()).rules).toEqual([]);
});

test("a rule that makes no sense is not saved, and says why", async () => {
  const server = await startAppServer();
  await server.client.policy.addRule({ kind: "path", path: "/etc/hosts", access: "read" });
  const { page } = await openApp(server, { expectedErrors: ["400"] });
  const dialog = await openPolicy(page);
  await dialog.getByRole("button", { name: /^Edit:/ }).click();
  const field = dialog.getByRole("textbox", { name: "The path" });
  await field.fill("not/absolute");
  await dialog.getByRole("button", { name: "Save the rule" }).click();
  await expect.poll(() => dialog.getByRole("alert").first().innerText()).not.toBe("");
  expect((await server.client.policy.get()).rules).toMatchObject([{ path: "/etc/hosts" }]);
});

test("files of the policy say what is wrong with them", async () => {
  const builtIn = builtInPolicy();
  const files = [
    {
      path: "/home/me/.turnwire/policy.json",
      level: "user" as const,
      status: "broken" as const,
      problems: ["modes.careful.argv.0: `git push` is not matched by the rule"],
      has_earlier: true,
    },
    {
      path: "/code/site/.turnwire/policy.json",
      level: "project" as const,
      status: "untrusted" as const,
    },
  ];
  const server = await startAppServer({
    policy: { current: (cwd) => ({ ...builtIn.current(cwd), files }) },
  });
  const { page } = await openApp(server);
  await page.getByRole("button", { name: "Policy file has problems" }).click();
  const dialog = page.getByRole("dialog", { name: "Policy" });
  await expectVisible(dialog.getByText("/home/me/.turnwire/policy.json"));
  await expectVisible(dialog.getByText("What it said before is still in force."));
  await expectVisible(dialog.getByText(/is not matched by the rule$/));
  await expectVisible(dialog.getByText("Not in force: the project is not trusted"));
  await expectAccessible(page);
});
