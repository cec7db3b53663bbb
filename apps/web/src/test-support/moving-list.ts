import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page, Route } from "playwright-core";
import { expect } from "vitest";
import { startAppServer, temporaryDirectory, type AppServer } from "./app-server.ts";
import { expectVisible, openApp, sessionRow, type OpenPageOptions } from "./browser.ts";
import { memoryProjects } from "./project.ts";

/** Keeps what asks for the projects from being answered until it is released. */
export async function holdProjects(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isHolding = true;
  await page.route("**/projects", async (route) => {
    if (isHolding) held.push(route);
    else await route.continue();
  });
  return async () => {
    isHolding = false;
    for (const route of held) await route.continue();
  };
}

export function actionsButton(page: Page, title: string): Locator {
  return sessionRow(page, title).getByRole("button", { name: /^Actions for/ });
}

export function menuOf(page: Page, title: string): Locator {
  return page.getByRole("menu", { name: `Actions for ${title}` });
}

export async function expectFocused(locator: Locator): Promise<void> {
  await expect
    .poll(() => locator.evaluate((element) => element === document.activeElement))
    .toBe(true);
}

/** Two sessions, the second one first in the list. */
export async function openTwo(options: OpenPageOptions = {}) {
  const server = await startAppServer();
  const { session_id: lowerId } = await server.client.sessions.create({ title: "Lower" });
  const { session_id: upperId } = await server.client.sessions.create({ title: "Upper" });
  const { page } = await openApp(server, options);
  await expectOrder(page, ["Upper", "Lower"]);
  return { server, page, lowerId, upperId };
}

export async function expectOrder(page: Page, titles: readonly string[]): Promise<void> {
  await expect
    .poll(() =>
      page
        .getByRole("navigation", { name: "Sessions" })
        .getByRole("listitem")
        .allInnerTexts()
        .then((texts) => texts.map((text) => titles.find((title) => text.includes(title)))),
    )
    .toEqual(titles);
}

/** Makes a session the newest one. */
export async function overtake(server: AppServer, sessionId: string): Promise<void> {
  await server.client.sessions.message(sessionId, { message: "/permission" });
}

export function sessionLink(page: Page, title: string): Locator {
  return sessionRow(page, title).getByRole("link");
}

export async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("It is not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Another session comes and the lower one overtakes the upper one; the page knows both. */
export async function stir(server: AppServer, page: Page, lowerId: string): Promise<void> {
  await server.client.sessions.create({ title: "Third" });
  await overtake(server, lowerId);
  await expect.poll(() => page.title()).toMatch(/^\(1\)/);
}

export const stirred = ["Lower", "Third", "Upper"];

/** A session in a folder that becomes a project when it is added. */
export async function openOutside() {
  const home = await temporaryDirectory();
  const path = join(home, "alpha");
  await mkdir(path);
  const server = await startAppServer({ roots: [], projects: memoryProjects(home) });
  await server.client.projects.add(path);
  const { session_id: sessionId } = await server.client.sessions.create({
    title: "Wanderer",
    cwd: path,
  });
  const [project] = (await server.client.projects.list()).projects;
  await server.client.projects.remove(project?.id ?? "");
  const { page } = await openApp(server);
  const others = page.getByRole("region", { name: /^Other folders/ });
  const alpha = page.getByRole("region", { name: /^alpha/ });
  await expectVisible(others.getByRole("link", { name: /Wanderer/ }));
  return { server, page, path, sessionId, others, alpha };
}
