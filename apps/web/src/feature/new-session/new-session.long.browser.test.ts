import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
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
import { firstMessage, projectButton, createHold } from "../../test-support/new-session.ts";

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

test("what is typed right after Enter is in the field of the session that begins", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, release } = createHold();
  await page.route("**/sessions", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await firstMessage(page).fill("First words");
  await page.keyboard.press("Enter");
  await page.keyboard.type("and more");
  release();
  await expectVisible(ownMessage(page, "First words"));
  await expect.poll(() => messageField(page).inputValue()).toBe("and more");
  expect((await server.client.sessions.list()).sessions).toHaveLength(1);
});

test("what is typed after Enter, before agents are known, belongs to the next message", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, release } = createHold();
  await page.route("**/runtimes*", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await firstMessage(page).fill("First words");
  await page.keyboard.press("Enter");
  await expect.poll(() => firstMessage(page).inputValue()).toBe("");
  await page.keyboard.type("and more");
  release();
  await expectVisible(ownMessage(page, "First words"));
  await expect.poll(() => messageField(page).inputValue()).toBe("and more");
});

test("what was sent before it was known that no folder is chosen is back in the field", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, release } = createHold();
  await page.route("**/projects", async (route) => {
    await held;
    await route.fulfill({ json: { projects: [], can_add: true, home: server.root } });
  });
  await page.reload();
  await firstMessage(page).fill("First words");
  await page.keyboard.press("Enter");
  await expect.poll(() => firstMessage(page).inputValue()).toBe("");
  await page.keyboard.type("and more");
  release();
  await expectVisible(page.getByRole("dialog"));
  await expect.poll(() => firstMessage(page).inputValue()).toBe("First words\nand more");
  expect((await server.client.sessions.list()).sessions).toEqual([]);
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
    // The list may show the project before the picker has closed.
    await expect
      .poll(() => firstMessage(page).evaluate((input) => input === document.activeElement))
      .toBe(true);
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
