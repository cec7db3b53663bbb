import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import {
  startAppServer,
  temporaryDirectory,
  type AppServer,
} from "../../test-support/app-server.ts";
import {
  choose,
  expectVisible,
  messageField,
  openApp,
  sessionRow,
} from "../../test-support/browser.ts";

/** A server whose project is a git repository with one commit. */
async function serveRepository(): Promise<AppServer> {
  const [root, directory] = [await temporaryDirectory(), await temporaryDirectory()];
  const git = (...words: string[]): void => {
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...words], {
      cwd: root,
      stdio: "ignore",
    });
  };
  git("init", "--initial-branch=main");
  await writeFile(join(root, "notes.txt"), "first\n");
  git("add", ".");
  git("commit", "-m", "First");
  return startAppServer({ root, worktrees: { directory } });
}

async function openWorktree(options: Parameters<typeof openApp>[1] = {}) {
  const server = await serveRepository();
  const { session_id: id, worktree } = await server.client.sessions.create({
    title: "Fix the login",
    cwd: server.root,
    worktree: { branch: "fix/login" },
  });
  const { page } = await openApp(server, options);
  await page.goto(`${server.url}/s/${id}`);
  await messageField(page).waitFor();
  return { server, page, path: worktree?.path ?? "" };
}

async function askToDelete(page: Page) {
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  return page.getByRole("dialog", { name: "Delete “Fix the login”?" });
}

/** Deletes without waiting until the time to undo is over. */
async function dismissUndo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Dismiss" }).click();
}

test("a new session gets a worktree with the branch that was typed, shown in header and list", async () => {
  const server = await serveRepository();
  const { page } = await openApp(server);
  await choose(page, "Where it works", /^New worktree/);
  await page.getByRole("textbox", { name: "Branch" }).fill("fix/login");
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "First message" }).fill("Fix the login");
  await page.getByRole("button", { name: "Start the session" }).click();
  await messageField(page).waitFor();
  await expectVisible(page.locator("#main header").getByText("fix/login"));
  await expectVisible(sessionRow(page, "Fix the login").getByText("fix/login"));
  const [session] = (await server.client.sessions.list()).sessions;
  expect(session?.worktree).toMatchObject({ branch: "fix/login", repository: server.root });
});

test("a long branch and a session that waits leave the row inside the sidebar", async () => {
  const server = await serveRepository();
  const branch = "feature/a-name-that-is-longer-than-the-sidebar-is-wide";
  const { session_id: id } = await server.client.sessions.create({
    title: "A title that is much longer than the sidebar is wide at its usual width",
    cwd: server.root,
    worktree: { branch },
  });
  await server.client.sessions.message(id, { message: "/question" });
  const { page } = await openApp(server);
  const list = page.getByRole("navigation", { name: "Sessions" });
  await expectVisible(list.getByText("Needs you"));
  const edge = async (locator: Locator) => {
    const { x = 0, width = 0 } = (await locator.boundingBox()) ?? {};
    return x + width;
  };
  expect(await edge(list.getByRole("listitem").first())).toBeLessThanOrEqual(await edge(list));
  expect(await edge(list.getByText("Needs you"))).toBeLessThanOrEqual(await edge(list));
});

test("a branch that is there already is a problem beside the project, and nothing that was written is lost", async () => {
  const server = await serveRepository();
  const { page } = await openApp(server, { expectedErrors: ["409", "400"] });
  await choose(page, "Where it works", /^New worktree/);
  await page.getByRole("textbox", { name: "Branch" }).fill("main");
  await page.getByRole("textbox", { name: "First message" }).fill("Fix the login");
  await page.getByRole("button", { name: "Start the session" }).click();
  await expectVisible(page.getByRole("alert").getByText(/main/));
  const field = page.getByRole("textbox", { name: "First message" });
  await expect.poll(() => field.inputValue()).toBe("Fix the login");
  expect((await server.client.sessions.list()).sessions).toEqual([]);
});

test("deleting says what is only in the worktree, and keeps it by default", async () => {
  const { page, path, server } = await openWorktree();
  await writeFile(join(path, "new.txt"), "new\n");
  const dialog = await askToDelete(page);
  await expectVisible(dialog.getByText("Only there: 1 new file."));
  await expect
    .poll(() => dialog.getByRole("radio", { name: /^Keep folder and branch/ }).isChecked())
    .toBe(true);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete the session" }).click();
  await dismissUndo(page);
  await expectVisible(page.getByText(/^The worktree .* was kept, because you asked for it\.$/));
  expect((await server.client.sessions.list()).sessions).toEqual([]);
  expect(existsSync(join(path, "new.txt"))).toBe(true);
});

test("work is discarded only where a person chose that", async () => {
  const { page, path } = await openWorktree();
  await writeFile(join(path, "new.txt"), "new\n");
  const dialog = await askToDelete(page);
  await dialog.getByRole("radio", { name: /^Discard all of it/ }).check();
  await expectVisible(dialog.getByText("Lost for good: 1 new file."));
  await dialog.getByRole("button", { name: "Delete and discard" }).click();
  await dismissUndo(page);
  await expectVisible(page.getByText(/^The worktree .* were removed\.$/));
  expect(existsSync(path)).toBe(false);
});

test("a clean worktree is removed with its session, and Cancel removes nothing", async () => {
  const { page, path, server } = await openWorktree();
  const dialog = await askToDelete(page);
  await expectVisible(dialog.getByText("Everything in it is also elsewhere."));
  expect(await dialog.getByRole("radio", { name: /^Discard/ }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await server.client.sessions.list()).sessions).toHaveLength(1);
  await askToDelete(page);
  await dialog.getByRole("button", { name: "Delete the session" }).click();
  await dismissUndo(page);
  await expectVisible(page.getByText(/^The worktree .* were removed\.$/));
  expect(existsSync(path)).toBe(false);
});
