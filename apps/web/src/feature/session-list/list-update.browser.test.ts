import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import {
  startAppServer,
  temporaryDirectory,
  type AppServer,
} from "../../test-support/app-server.ts";
import {
  expectVisible,
  openApp,
  sessionRow,
  type OpenPageOptions,
} from "../../test-support/browser.ts";
import { memoryProjects } from "../../test-support/project.ts";

/** Keeps what asks for the projects from being answered until it is released. */
async function holdProjects(page: Page): Promise<() => Promise<void>> {
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

function actionsButton(page: Page, title: string): Locator {
  return sessionRow(page, title).getByRole("button", { name: /^Actions for/ });
}

function menuOf(page: Page, title: string): Locator {
  return page.getByRole("menu", { name: `Actions for ${title}` });
}

async function expectFocused(locator: Locator): Promise<void> {
  await expect
    .poll(() => locator.evaluate((element) => element === document.activeElement))
    .toBe(true);
}

/** Two sessions, the second one first in the list. */
async function openTwo(options: OpenPageOptions = {}) {
  const server = await startAppServer();
  const { session_id: lowerId } = await server.client.sessions.create({ title: "Lower" });
  const { session_id: upperId } = await server.client.sessions.create({ title: "Upper" });
  const { page } = await openApp(server, options);
  await expectOrder(page, ["Upper", "Lower"]);
  return { server, page, lowerId, upperId };
}

async function expectOrder(page: Page, titles: readonly string[]): Promise<void> {
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

test("sessions appear in their projects at once, however late the projects are known", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Mine" });
  const { page } = await openApp(server);
  const release = await holdProjects(page);
  await page.reload();
  await page.getByRole("button", { name: /^Find a session/ }).click();
  await expectVisible(page.getByRole("option", { name: /Mine/ }));
  await page.keyboard.press("Escape");
  await expect.poll(() => sessionRow(page, "Mine").count()).toBe(0);
  await release();
  await expectVisible(sessionRow(page, "Mine"));
  expect(await page.getByRole("region", { name: /^Other folders/ }).count()).toBe(0);
});

test("sessions are listed although the projects cannot be loaded", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Mine" });
  const { page } = await openApp(server, { expectedErrors: ["500"] });
  await page.route("**/projects", (route) => route.fulfill({ status: 500 }));
  await page.reload();
  await expectVisible(
    page.getByRole("region", { name: /^Other folders/ }).getByRole("link", { name: /Mine/ }),
  );
});

/** Makes a session the newest one. */
async function overtake(server: AppServer, sessionId: string): Promise<void> {
  await server.client.sessions.message(sessionId, { message: "/permission" });
}

function sessionLink(page: Page, title: string): Locator {
  return sessionRow(page, title).getByRole("link");
}

async function middleOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error("It is not shown");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Another session comes and the lower one overtakes the upper one; the page knows both. */
async function stir(server: AppServer, page: Page, lowerId: string): Promise<void> {
  await server.client.sessions.create({ title: "Third" });
  await overtake(server, lowerId);
  await expect.poll(() => page.title()).toMatch(/^\(1\)/);
}

const stirred = ["Lower", "Third", "Upper"];

test("a click opens the session that was pressed, whatever happens in the list before it is released", async () => {
  const { server, page, lowerId, upperId } = await openTwo();
  const place = await middleOf(sessionLink(page, "Upper"));
  await page.mouse.move(place.x, place.y);
  await page.mouse.down();
  await stir(server, page, lowerId);
  await page.mouse.up();
  await expect.poll(() => page.url()).toBe(`${server.url}/s/${upperId}`);
  await expectOrder(page, stirred);
});

test("a tap opens the session that was touched, whatever happens in the list before it is released", async () => {
  const { server, page, lowerId, upperId } = await openTwo({ hasTouch: true });
  const touch = await page.context().newCDPSession(page);
  const touchPoints = [await middleOf(sessionLink(page, "Upper"))];
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await stir(server, page, lowerId);
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect.poll(() => page.url()).toBe(`${server.url}/s/${upperId}`);
  await expectOrder(page, stirred);
});

test.each(["mouseup elsewhere", "drag of the link", "touchcancel"] as const)(
  "the list is held while it is pressed, and up to date again after a %s",
  async (end) => {
    const { server, page, lowerId } = await openTwo({ hasTouch: true });
    const touch = await page.context().newCDPSession(page);
    const pressed =
      end === "mouseup elsewhere" ? page.getByRole("button", { name: /^turnwire-web/ }) : undefined;
    const place = await middleOf(pressed ?? sessionLink(page, "Upper"));
    if (end === "touchcancel") {
      const touchPoints = [place];
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
    } else {
      await page.mouse.move(place.x, place.y);
      await page.mouse.down();
    }
    await stir(server, page, lowerId);
    await expectOrder(page, ["Upper", "Lower"]);
    if (end === "touchcancel") {
      await touch.send("Input.dispatchTouchEvent", { type: "touchCancel", touchPoints: [] });
    } else await page.mouse.move(800, 400, { steps: 4 });
    if (end === "mouseup elsewhere") await page.mouse.up();
    await expectOrder(page, stirred);
    expect(new URL(page.url()).pathname).toBe("/");
  },
);

test("an open menu stays, with its focus, while another session overtakes its own", async () => {
  const { server, page, lowerId } = await openTwo();
  await actionsButton(page, "Upper").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  const archive = menuOf(page, "Upper").getByRole("menuitem", { name: "Archive" });
  await expectFocused(archive);
  const shown = await archive.elementHandle();
  await overtake(server, lowerId);
  await expectVisible(sessionRow(page, "Lower").getByText("Needs you"));
  await expectVisible(archive);
  await expectFocused(archive);
  expect(await shown?.evaluate((element) => element.isConnected)).toBe(true);
  await page.keyboard.press("Escape");
  await expectOrder(page, ["Lower", "Upper"]);
  await expectFocused(actionsButton(page, "Upper"));
});

test("a half-written title stays, with its focus, while another session overtakes its own", async () => {
  const { server, page, lowerId, upperId } = await openTwo();
  await actionsButton(page, "Upper").click();
  await menuOf(page, "Upper").getByRole("menuitem", { name: "Rename" }).click();
  const field = page.getByRole("textbox", { name: "Session title" });
  await field.fill("Half a ti");
  await overtake(server, lowerId);
  await expectVisible(sessionRow(page, "Lower").getByText("Needs you"));
  await expectFocused(field);
  await page.keyboard.type("tle");
  await page.keyboard.press("Enter");
  await expectOrder(page, ["Lower", "Half a title"]);
  await expectFocused(sessionRow(page, "Half a title").getByRole("link"));
  expect((await server.client.sessions.get(upperId)).title).toBe("Half a title");
});

/** A session in a folder that becomes a project when it is added. */
async function openOutside() {
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

test("an open menu stays while its session gets a project, and its row follows when it is closed", async () => {
  const { server, page, path, others, alpha } = await openOutside();
  await actionsButton(page, "Wanderer").focus();
  await page.keyboard.press("Enter");
  const rename = menuOf(page, "Wanderer").getByRole("menuitem", { name: "Rename" });
  await expectFocused(rename);
  await server.client.projects.add(path);
  await expectVisible(alpha);
  await expectVisible(rename);
  await expectFocused(rename);
  await expectVisible(others.getByRole("link", { name: /Wanderer/ }));
  await page.keyboard.press("Escape");
  await expectVisible(alpha.getByRole("link", { name: /Wanderer/ }));
  await expectFocused(actionsButton(page, "Wanderer"));
});

test("a half-written title stays, with its focus, while its session gets a project", async () => {
  const { server, page, path, sessionId, others, alpha } = await openOutside();
  await actionsButton(page, "Wanderer").click();
  await menuOf(page, "Wanderer").getByRole("menuitem", { name: "Rename" }).click();
  const field = page.getByRole("textbox", { name: "Session title" });
  await field.fill("Sett");
  await server.client.projects.add(path);
  await expectVisible(alpha);
  await expectVisible(others.getByRole("textbox", { name: "Session title" }));
  await expectFocused(field);
  await page.keyboard.type("ler");
  await page.keyboard.press("Enter");
  await expectVisible(alpha.getByRole("link", { name: /Settler/ }));
  await expectFocused(alpha.getByRole("link", { name: /Settler/ }));
  expect((await server.client.sessions.get(sessionId)).title).toBe("Settler");
});

test("the focused row keeps the focus when it is put into another group", async () => {
  const { server, page, path, alpha } = await openOutside();
  const link = sessionRow(page, "Wanderer").getByRole("link");
  await link.focus();
  await server.client.projects.add(path);
  await expectVisible(alpha.getByRole("link", { name: /Wanderer/ }));
  await expectFocused(link);
});

test("an open menu of a project stays while the project above it is removed", async () => {
  const { server, page, path, alpha } = await openOutside();
  const above = join(path, "..", "above");
  await mkdir(above);
  const { id } = await server.client.projects.add(above);
  await server.client.projects.add(path);
  await page.getByRole("button", { name: "Options for alpha" }).click();
  const start = page.getByRole("menuitem", { name: "New session here" });
  await expectFocused(start);
  await server.client.projects.remove(id);
  await page.getByRole("region", { name: /^above/ }).waitFor({ state: "detached" });
  await expectVisible(start);
  await expectFocused(start);
  await start.click();
  await expectVisible(alpha);
  await expectVisible(page.getByRole("button", { name: /^Project alpha/ }));
});

test("a session that newer ones push out of sight stays in sight while its menu is open", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Oldest" });
  const others = Array.from({ length: 11 }, (_, place) => `Other ${place + 1}`);
  for (const title of others) await server.client.sessions.create({ title });
  const { page } = await openApp(server);
  await actionsButton(page, "Oldest").click();
  await server.client.sessions.create({ title: "Newest" });
  await expectVisible(sessionRow(page, "Newest"));
  await menuOf(page, "Oldest").getByRole("menuitem", { name: "Rename" }).click();
  await expectFocused(page.getByRole("textbox", { name: "Session title" }));
  await page.keyboard.press("Escape");
  await sessionRow(page, "Oldest").waitFor({ state: "detached" });
  await expectFocused(sessionRow(page, "Other 1").getByRole("link"));
});

test("a session that is archived elsewhere closes its own menu only, and the next row gets the focus", async () => {
  const { server, page, lowerId, upperId } = await openTwo();
  await actionsButton(page, "Upper").click();
  await expectVisible(menuOf(page, "Upper"));
  const { session_id: thirdId } = await server.client.sessions.create({ title: "Third" });
  await expectVisible(sessionRow(page, "Third"));
  await server.client.sessions.archive(thirdId);
  await expectVisible(page.getByRole("button", { name: "Archived 1 session" }));
  await expectVisible(menuOf(page, "Upper"));
  await server.client.sessions.archive(upperId);
  await expectVisible(page.getByRole("button", { name: "Archived 2 sessions" }));
  await menuOf(page, "Upper").waitFor({ state: "detached" });
  await expectFocused(sessionRow(page, "Lower").getByRole("link"));
  await server.client.sessions.create({ title: "Fourth" });
  await overtake(server, lowerId);
  await expectOrder(page, ["Lower", "Fourth"]);
});

test("the quick switcher opens what was chosen in it, although another session overtakes that", async () => {
  const { server, page, lowerId, upperId } = await openTwo();
  await page.getByRole("button", { name: /^Find a session/ }).click();
  const options = page.getByRole("listbox", { name: "Sessions" }).getByRole("option");
  await expectVisible(options.filter({ hasText: "Upper" }));
  await page.keyboard.press("ArrowDown");
  await expectVisible(page.getByRole("option", { name: /Lower/, selected: true }));
  await overtake(server, lowerId);
  await expectVisible(options.filter({ hasText: "Lower" }).getByRole("img", { name: /Waiting/ }));
  await expect
    .poll(() => options.allInnerTexts())
    .toEqual([expect.stringContaining("Upper"), expect.stringContaining("Lower")]);
  await server.client.sessions.delete(upperId);
  await expect.poll(() => options.count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}/s/${lowerId}`);
});

test("a list that could not be loaded is not called empty", async () => {
  const server = await startAppServer();
  await server.client.sessions.create({ title: "Release" });
  const { page } = await openApp(server, { expectedErrors: ["503", "WebSocket connection"] });
  await expectVisible(sessionRow(page, "Release"));
  const error = {
    code: "store_unavailable",
    message: "The store cannot be reached.",
    retryable: true,
  };
  await page.route(/\/watch/, (route) => route.fulfill({ status: 503, json: { error } }));
  await page.routeWebSocket(/\/watch\/ws/, (socket) => socket.close());
  await page.reload();
  await expectVisible(page.getByText("The server cannot be reached."));
  expect(await page.getByText("No sessions yet").count()).toBe(0);
});
