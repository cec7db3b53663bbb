import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer, temporaryDirectory } from "../../test-support/app-server.ts";
import {
  expectVisible,
  messageField,
  openApp,
  openSession,
  sessionRow,
} from "../../test-support/browser.ts";
import { memoryProjects } from "../../test-support/project.ts";

test("the list shows what each session does, while it does it", async () => {
  const server = await startAppServer();
  const { session_id: id } = await server.client.sessions.create({ title: "Release" });
  const { page } = await openApp(server);
  await expectVisible(sessionRow(page, "Release").getByRole("img", { name: "Idle" }));
  await server.client.sessions.message(id, { message: "/permission" });
  await expectVisible(sessionRow(page, "Release").getByRole("img", { name: "Waiting for you" }));
  await expectVisible(sessionRow(page, "Release").getByText("Needs you"));
  await server.client.sessions.stop(id);
  await expectVisible(sessionRow(page, "Release").getByRole("img", { name: "Idle" }));
});

test("a session is renamed in its row, and Escape leaves the title as it was", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Before" });
  const rename = async (): Promise<void> => {
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
  };
  const field = page.getByRole("textbox", { name: "Session title" });
  await rename();
  await field.fill("Never");
  await field.press("Escape");
  await expectVisible(page.getByRole("heading", { name: "Before" }));
  await rename();
  await field.fill("After");
  await field.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "After" }));
  expect((await server.client.sessions.get(sessionId)).title).toBe("After");
});

test("an archived session is put away, and comes back when that is taken back", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "Old work" });
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Archive" }).click();
  await expectVisible(page.getByRole("button", { name: "Archived 1 session" }));
  await expectVisible(page.getByText("This session is archived."));
  await page.getByRole("button", { name: "Undo" }).click();
  await expectVisible(sessionRow(page, "Old work"));
  await expectVisible(messageField(page));
});

test("a deleted session is gone from sight at once, and from the server only if that is not undone", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server, { title: "Mistake" });
  const remove = async (): Promise<void> => {
    await page
      .getByRole("navigation")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
  };
  await remove();
  await sessionRow(page, "Mistake").waitFor({ state: "detached" });
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
  expect((await server.client.sessions.get(sessionId)).title).toBe("Mistake");
  await page.getByRole("button", { name: "Undo" }).click();
  await expectVisible(sessionRow(page, "Mistake"));
  await remove();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect.poll(async () => (await server.client.sessions.list()).sessions).toHaveLength(0);
});

test("a few letters find a session by keyboard alone, and arrows go along the list", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Paint the fence" });
  const { page } = await openSession(server, { title: "Mow the lawn" });
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Find a session" });
  await field.fill("no such words");
  await expectVisible(page.getByText("No sessions match."));
  await field.fill("FENCE paint");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "Paint the fence" }));
  await page.keyboard.press("Alt+ArrowUp");
  await expectVisible(page.getByRole("heading", { name: "Mow the lawn" }));
  await page.keyboard.press("Alt+n");
  await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
});

describe("projects", () => {
  async function serveProjects() {
    const home = await temporaryDirectory();
    const places = ["alpha", "beta"].map((name) => join(home, name));
    for (const place of places) await mkdir(place);
    const server = await startAppServer({ roots: [], projects: memoryProjects(home) });
    for (const place of places) await server.client.projects.add(place);
    const [alpha = "", beta = ""] = places;
    return { server, alpha, beta };
  }

  test("sessions are grouped by project, who waits is first and marked, and groups fold for good", async () => {
    const { server, alpha, beta } = await serveProjects();
    const { session_id: asking } = await server.client.sessions.create({
      title: "Asking",
      cwd: alpha,
    });
    await server.client.sessions.create({ title: "Newer", cwd: alpha });
    await server.client.sessions.create({ title: "Elsewhere", cwd: beta });
    await server.client.sessions.message(asking, { message: "/permission" });
    const { page } = await openApp(server);
    const group = page.getByRole("region", { name: /^alpha/ });
    await expectVisible(group.getByText("~/alpha"));
    await expectVisible(group.getByText("Needs you"));
    await expect
      .poll(() => group.getByRole("listitem").allInnerTexts())
      .toEqual([expect.stringContaining("Asking"), expect.stringContaining("Newer")]);
    await expectVisible(
      page.getByRole("region", { name: /^beta/ }).getByRole("link", { name: /Elsewhere/ }),
    );
    await page.getByRole("button", { name: /^alpha/ }).click();
    await sessionRow(page, "Newer").waitFor({ state: "detached" });
    await expectVisible(group.getByText("1 waiting"));
    await expectAccessible(page);
    await page.reload();
    await expectVisible(page.getByRole("button", { name: /^alpha/, expanded: false }));
    await page.getByRole("link", { name: "New session in beta" }).click();
    await expectVisible(page.getByRole("button", { name: /^Project beta ~\/beta/ }));
  });

  test("a project is taken out of the list without losing its sessions, and comes back by Undo", async () => {
    const { server, beta } = await serveProjects();
    await server.client.sessions.create({ title: "Kept", cwd: beta });
    const { page } = await openApp(server);
    await page.getByRole("button", { name: "Options for beta" }).click();
    await page.getByRole("menuitem", { name: "Remove from the list" }).click();
    const others = page.getByRole("region", { name: /^Other folders/ });
    await expectVisible(others.getByRole("link", { name: /Kept/ }));
    await page.getByRole("button", { name: "Undo" }).click();
    await expectVisible(
      page.getByRole("region", { name: /^beta/ }).getByRole("link", { name: /Kept/ }),
    );
  });
});
