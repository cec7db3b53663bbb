import { builtInPolicy } from "@turnwire/server";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { choose, expectVisible, messageField, openApp } from "../../test-support/browser.ts";
import { openPolicy } from "../../test-support/policy-session.ts";

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
  // The session says what it has; the default is not a choice any more.
  await policy.click();
  await expectVisible(page.getByRole("option", { name: /^No policy/ }));
  expect(await page.getByRole("option", { name: /^Server default/ }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.goto(server.url);
  await expect.poll(() => policy.innerText()).toBe("No policy");
  await choose(page, "Policy", /^Server default/);
  await expect.poll(() => policy.innerText()).toBe("Server default (Planner)");
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
