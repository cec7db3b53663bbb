import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDemoRuntime, type Runtime } from "@turnwire/server";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer, temporaryDirectory } from "../../test-support/app-server.ts";
import {
  choose,
  conversation,
  expectVisible,
  messageField,
  openApp,
  ownMessage,
} from "../../test-support/browser.ts";
import { memoryProjects } from "../../test-support/project.ts";

function firstMessage(page: Page) {
  return page.getByRole("textbox", { name: "First message" });
}

function projectButton(page: Page) {
  return page.getByRole("button", { name: /^Project / });
}

/** The demo under another name, as if it were an agent that is connected or not. */
function agent(name: string, connection: () => "connected" | "not_connected"): Runtime {
  const demo = createDemoRuntime({ delayMs: 0 });
  const steps = [{ text: "Log in with its own program:", command: `${name} login` }];
  return {
    ...demo,
    name,
    label: name,
    check: async () =>
      connection() === "connected"
        ? { isAvailable: true, connection: { status: "connected", account: "logged in" } }
        : {
            isAvailable: false,
            problem: `${name} has no login.`,
            connection: { status: "not_connected", steps },
          },
  };
}

test("a session starts with the chosen project, effort and mode, and the next one offers them again", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await choose(page, "Effort", "High effort");
  await choose(page, "Permission mode", /^Plan only/);
  await firstMessage(page).fill("Look around\nthen tell me");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "Look around" }));
  const { sessions } = await server.client.sessions.list();
  expect(sessions).toMatchObject([
    {
      title: "Look around",
      cwd: server.root,
      effort: "high",
      permission_mode: "plan",
    },
  ]);
  await page.getByRole("link", { name: "New session", exact: true }).click();
  await expectVisible(projectButton(page).getByText(server.root));
  const mode = page.getByRole("combobox", { name: "Permission mode" });
  await expect.poll(() => mode.textContent()).toBe("Plan only");
  await expect
    .poll(() => page.getByRole("combobox", { name: "Effort" }).textContent())
    .toBe("High effort");
});

test("Tab goes through the page without changing anything", async () => {
  const server = await startAppServer();
  await mkdir(join(server.root, "apps", "web"), { recursive: true });
  const { page } = await openApp(server);
  await expectVisible(projectButton(page).getByText(server.root));
  await firstMessage(page).focus();
  for (let press = 0; press < 12; press += 1) await page.keyboard.press("Tab");
  await firstMessage(page).press("Enter");
  await expectVisible(projectButton(page).getByText(server.root, { exact: true }));
  await firstMessage(page).fill("Where are you?");
  await firstMessage(page).press("Enter");
  await expectVisible(page.getByRole("heading", { name: "Where are you?" }));
  const { sessions } = await server.client.sessions.list();
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  expect(session).toMatchObject({ cwd: server.root, permission_mode: "default" });
  expect(session?.model).not.toBe("demo-1-mini");
});

test("the first message has commands, files of the project and attachments", async () => {
  const server = await startAppServer();
  await writeFile(join(server.root, "greeting.ts"), "");
  const { page } = await openApp(server);
  await firstMessage(page).fill("/pl");
  await expectVisible(page.getByRole("option", { name: /^\/plan A plan/ }));
  await firstMessage(page).fill("");
  await firstMessage(page).pressSequentially("Read @greet");
  await expectVisible(page.getByRole("option", { name: "greeting.ts" }));
  await page.keyboard.press("Enter");
  await expect.poll(() => firstMessage(page).inputValue()).toBe("Read @greeting.ts ");
  await page.getByLabel("Files to attach").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("Remember the milk"),
  });
  await expectVisible(page.getByRole("list", { name: "Attachments" }).getByText("notes.txt"));
  await firstMessage(page).press("Enter");
  await expectVisible(ownMessage(page, "Read @greeting.ts"));
  await expectVisible(conversation(page).getByText("notes.txt"));
});

test("a first message that is not sent yet survives a reload, and is gone once it is sent", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await firstMessage(page).fill("Half a thought");
  await page.reload();
  await expect.poll(() => firstMessage(page).inputValue()).toBe("Half a thought");
  await firstMessage(page).press("Enter");
  await expectVisible(ownMessage(page, "Half a thought"));
  await page.goto(server.url);
  await expect.poll(() => firstMessage(page).inputValue()).toBe("");
});

/** Something that waits until the test lets it go. */
function createHold(): { readonly held: Promise<void>; readonly letGo: () => void } {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { held, letGo };
}

test("Enter before the agents are known starts the session as soon as they are", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, letGo } = createHold();
  await page.route(/\/(runtimes|projects)$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await firstMessage(page).fill("In a hurry");
  await firstMessage(page).press("Enter");
  letGo();
  await expectVisible(ownMessage(page, "In a hurry"));
  expect((await server.client.sessions.list()).sessions).toHaveLength(1);
});

test("what is typed right after Enter is in the field of the session that begins", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, letGo } = createHold();
  await page.route("**/sessions", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await firstMessage(page).fill("First words");
  await page.keyboard.press("Enter");
  await page.keyboard.type("and more");
  letGo();
  await expectVisible(ownMessage(page, "First words"));
  await expect.poll(() => messageField(page).inputValue()).toBe("and more");
  expect((await server.client.sessions.list()).sessions).toHaveLength(1);
});

test("what is typed after Enter, before agents are known, belongs to the next message", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, letGo } = createHold();
  await page.route("**/runtimes*", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await firstMessage(page).fill("First words");
  await page.keyboard.press("Enter");
  await expect.poll(() => firstMessage(page).inputValue()).toBe("");
  await page.keyboard.type("and more");
  letGo();
  await expectVisible(ownMessage(page, "First words"));
  await expect.poll(() => messageField(page).inputValue()).toBe("and more");
});

test("what was sent before it was known that no folder is chosen is back in the field", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, letGo } = createHold();
  await page.route("**/projects", async (route) => {
    await held;
    await route.fulfill({ json: { projects: [], can_add: true, home: server.root } });
  });
  await page.reload();
  await firstMessage(page).fill("First words");
  await page.keyboard.press("Enter");
  await expect.poll(() => firstMessage(page).inputValue()).toBe("");
  await page.keyboard.type("and more");
  letGo();
  await expectVisible(page.getByRole("dialog"));
  await expect.poll(() => firstMessage(page).inputValue()).toBe("First words\nand more");
  expect((await server.client.sessions.list()).sessions).toEqual([]);
});

test("a session that cannot start keeps the text, and says why beside the field, in plain words", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server, { expectedErrors: ["403"] });
  const error = { code: "cwd_not_allowed", message: "That folder is gone.", retryable: false };
  await page.route("**/sessions", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 403, json: { error } })
      : route.continue(),
  );
  await firstMessage(page).fill("Read the passwords");
  await firstMessage(page).press("Enter");
  await expectVisible(page.locator("form").getByRole("alert").getByText("That folder is gone."));
  await expect.poll(() => firstMessage(page).inputValue()).toBe("Read the passwords");
  expect(await page.getByText(/refused with|403/).count()).toBe(0);
});

describe("agents", () => {
  test("the first connected agent is chosen, not the demo", async () => {
    const runtimes = [createDemoRuntime({ delayMs: 0 }), agent("claude", () => "connected")];
    const server = await startAppServer({ runtimes });
    const { page } = await openApp(server);
    await expect.poll(() => page.getByRole("radio", { name: /^claude/ }).isChecked()).toBe(true);
    await expectVisible(page.getByText("Scripted, touches nothing"));
  });

  test("one that is not connected shows what to do, cannot be started by Enter, and is found by Check again", async () => {
    let status: "connected" | "not_connected" = "not_connected";
    const runtimes = [createDemoRuntime({ delayMs: 0 }), agent("claude", () => status)];
    const server = await startAppServer({ runtimes });
    const { page } = await openApp(server);
    await expectVisible(page.getByRole("heading", { name: "Connect an agent, or try the demo" }));
    await expect.poll(() => page.getByRole("radio", { name: /^Demo/ }).isChecked()).toBe(true);
    await page.getByText("How to connect claude").click();
    await expectVisible(page.getByText("claude login"));
    await expectVisible(page.getByRole("button", { name: "Copy claude login" }));
    await expectAccessible(page);
    await page.getByText("How to connect claude").click();
    await page.getByRole("radio", { name: /^claude/ }).check();
    await expectVisible(page.getByText("claude login"));
    await firstMessage(page).fill("A first task");
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("alert").getByText(/claude is not connected yet/));
    await expect.poll(() => firstMessage(page).inputValue()).toBe("A first task");
    expect((await server.client.sessions.list()).sessions).toEqual([]);
    await page.getByRole("button", { name: "Check again" }).click();
    await expectVisible(page.getByText("Still missing: claude."));
    status = "connected";
    await page.getByRole("button", { name: "Check again" }).click();
    await expectVisible(page.getByText("Everything is connected."));
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("heading", { name: "A first task" }));
    expect((await server.client.sessions.list()).sessions).toMatchObject([{ runtime: "claude" }]);
  });

  test("a demo that was not chosen gives way to an agent that is connected later", async () => {
    let status: "connected" | "not_connected" = "not_connected";
    const runtimes = [createDemoRuntime({ delayMs: 0 }), agent("claude", () => status)];
    const server = await startAppServer({ runtimes });
    const { page } = await openApp(server);
    await firstMessage(page).fill("Try it");
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("heading", { name: "Try it" }));
    status = "connected";
    await page.goto(server.url);
    await expect.poll(() => page.getByRole("radio", { name: /^claude/ }).isChecked()).toBe(true);
  });
});

describe("without a project", () => {
  test("a person picks a folder by keyboard alone, and the agent works there", async () => {
    const home = await temporaryDirectory();
    for (const name of [".git", "src"]) {
      await mkdir(join(home, "code", "website", name), { recursive: true });
    }
    await mkdir(join(home, "code", "api"), { recursive: true });
    await mkdir(join(home, ".config"), { recursive: true });
    const server = await startAppServer({ roots: [], projects: memoryProjects(home) });
    const { page } = await openApp(server, { expectedErrors: ["404"] });
    await expectVisible(projectButton(page).getByText("Choose a folder…"));
    await firstMessage(page).fill("Say hello");
    await firstMessage(page).press("Enter");
    const field = page.getByRole("combobox", { name: "Find a folder" });
    await expectVisible(page.getByRole("option", { name: "code" }));
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.getByRole("option", { name: ".config" }).count()).toBe(0);
    await expectAccessible(page);
    await field.fill("~/nowhere/");
    await expectVisible(page.getByRole("alert").getByText(/There is no directory/));
    await field.fill("co");
    await page.keyboard.press("Enter");
    await expectVisible(page.getByRole("option", { name: /^website/ }));
    await expectVisible(page.getByText("~/code", { exact: true }));
    await page.keyboard.press("Backspace");
    await expectVisible(page.getByRole("option", { name: "code" }));
    await field.fill(`${home}/code/web`);
    await expectVisible(page.getByRole("option", { name: /^website/ }));
    await page.keyboard.press("Enter");
    await expectVisible(page.getByText("~/code/website", { exact: true }));
    await page.keyboard.press("Control+Enter");
    await expectVisible(projectButton(page).getByText("~/code/website"));
    await page.keyboard.press("Enter");
    await expectVisible(page.getByRole("heading", { name: "Say hello" }));
    const { sessions } = await server.client.sessions.list();
    expect(sessions).toMatchObject([{ cwd: join(home, "code", "website") }]);
    expect((await server.client.projects.list()).projects).toMatchObject([{ name: "website" }]);
  });

  test("each project remembers its own agent settings", async () => {
    const home = await temporaryDirectory();
    for (const name of ["one", "two"]) await mkdir(join(home, name));
    const server = await startAppServer({ roots: [], projects: memoryProjects(home) });
    for (const name of ["one", "two"]) await server.client.projects.add(join(home, name));
    const { page } = await openApp(server);
    const pick = async (name: string): Promise<void> => {
      await projectButton(page).click();
      await page.getByRole("combobox", { name: "Find a project" }).fill(name);
      await page.keyboard.press("Enter");
      await expectVisible(projectButton(page).getByText(`~/${name}`));
    };
    const mode = page.getByRole("combobox", { name: "Permission mode" });
    await pick("one");
    await choose(page, "Permission mode", /^Accept edits/);
    await choose(page, "Model", /^Demo, smaller/);
    await pick("two");
    await expect.poll(() => mode.textContent()).toBe("Ask before changes");
    await pick("one");
    await expect.poll(() => mode.textContent()).toBe("Accept edits");
    await page.reload();
    await expect.poll(() => mode.textContent()).toBe("Accept edits");
    await firstMessage(page).fill("Go");
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("heading", { name: "Go" }));
    expect((await server.client.sessions.list()).sessions).toMatchObject([
      { cwd: join(home, "one"), model: "demo-1-mini", permission_mode: "acceptEdits" },
    ]);
  });
});
