import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp, sessionRow } from "../../test-support/browser.ts";
import {
  actionsButton,
  menuOf,
  expectFocused,
  openTwo,
  expectOrder,
  overtake,
  sessionLink,
  middleOf,
  stir,
  stirred,
  openOutside,
} from "../../test-support/moving-list.ts";

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
