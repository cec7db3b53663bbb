import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp, sessionRow } from "../../test-support/browser.ts";
import {
  holdProjects,
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
} from "../../test-support/moving-list.ts";

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
