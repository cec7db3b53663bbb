import { describe, expect, test } from "vitest";
import { expectAccessible } from "../test-support/accessibility.ts";
import { startAppServer } from "../test-support/app-server.ts";
import { expectVisible, openApp, openPage, openSession, say } from "../test-support/browser.ts";

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  test("the first page, the switcher and menus are accessible", async () => {
    const server = await startAppServer();
    await server.client.sessions.create({ title: "A session" });
    const { page } = await openApp(server, { colorScheme });
    await expectVisible(page.getByRole("heading", { name: "What should the agent do?" }));
    await expectAccessible(page);
    await page.keyboard.press("Control+k");
    await expectVisible(page.getByRole("combobox", { name: "Find a session" }));
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Actions for A session" }).click();
    await expectVisible(page.getByRole("menuitem", { name: "Rename" }));
    await expectAccessible(page);
  });

  test("a conversation that waits for a person is accessible", async () => {
    const server = await startAppServer();
    const { page } = await openSession(server, { colorScheme });
    await say(page, "/permission");
    await expectVisible(page.getByRole("button", { name: "Allow once" }));
    await expectAccessible(page);
  });

  test("the login page is accessible", async () => {
    const server = await startAppServer();
    const { page } = await openPage({
      colorScheme,
      expectedErrors: ["401", "HTTP Authentication failed"],
    });
    await page.goto(server.url);
    await expectVisible(page.getByRole("heading", { name: "This browser is not logged in" }));
    await expectAccessible(page);
  });
});

test("a chosen theme stands against the system's, also after a reload", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server, { colorScheme: "dark" });
  const scheme = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue("color-scheme"),
    );
  expect(await scheme()).toBe("dark");
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("menuitemradio", { name }).click();
  };
  await choose("Light theme");
  expect(await scheme()).toBe("light");
  await page.reload();
  expect(await scheme()).toBe("light");
  await choose("System theme");
  expect(await scheme()).toBe("dark");
});
