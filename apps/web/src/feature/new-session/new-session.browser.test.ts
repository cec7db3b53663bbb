import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp } from "../../test-support/browser.ts";

test("a session starts with the chosen directory, model and mode, and the next one offers them again", async () => {
  const server = await startAppServer();
  await mkdir(join(server.root, "website", "pages"), { recursive: true });
  const { page } = await openApp(server);
  const directory = page.getByRole("combobox", { name: "Working directory" });
  await directory.fill(`${server.root}/web`);
  await page.getByRole("option", { name: join(server.root, "website") }).waitFor();
  await directory.press("Tab");
  await page.getByRole("option", { name: join(server.root, "website", "pages") }).waitFor();
  await directory.press("Escape");
  await page.getByRole("combobox", { name: "Model" }).selectOption("demo-1-mini");
  await page.getByRole("combobox", { name: "Permission mode" }).selectOption("plan");
  await page.getByRole("textbox", { name: "First message" }).fill("Look around\nthen tell me");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "Look around" }));
  const { sessions } = await server.client.sessions.list();
  expect(sessions).toMatchObject([
    {
      title: "Look around",
      cwd: join(server.root, "website"),
      model: "demo-1-mini",
      permission_mode: "plan",
    },
  ]);
  await page.getByRole("link", { name: "New session" }).click();
  await expect.poll(() => directory.inputValue()).toBe(join(server.root, "website"));
  await expect
    .poll(() => page.getByRole("combobox", { name: "Model" }).inputValue())
    .toBe("demo-1-mini");
});

test("a directory outside the roots is refused with the reason, and the text stays", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server, { expectedErrors: ["403"] });
  await page.getByRole("combobox", { name: "Working directory" }).fill("/etc");
  const field = page.getByRole("textbox", { name: "First message" });
  await field.fill("Read the passwords");
  await field.press("Enter");
  await expectVisible(page.getByRole("status").getByText(/outside the allowed roots/));
  await expect.poll(() => field.inputValue()).toBe("Read the passwords");
  expect((await server.client.sessions.list()).sessions).toEqual([]);
});
