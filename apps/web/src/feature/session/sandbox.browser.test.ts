import { createDemoRuntime, type Runtime } from "@turnwire/server";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { choose, expectVisible, messageField, openApp } from "../../test-support/browser.ts";

/** The demo as an agent that has a sandbox. */
function sandboxedDemo(): Runtime {
  return {
    ...createDemoRuntime({ delayMs: 0 }),
    sandboxProblem: () => Promise.resolve(undefined),
  };
}

test("a session runs in the sandbox that was chosen, and its header says so", async () => {
  const server = await startAppServer({ runtimes: [sandboxedDemo()] });
  const { page } = await openApp(server);
  await choose(page, "Sandbox", /^Sandbox, no network/);
  await expectAccessible(page);
  await page.getByRole("textbox", { name: "First message" }).fill("Hello");
  await page.getByRole("button", { name: "Start the session" }).click();
  await messageField(page).waitFor();
  await expectVisible(page.locator("#main header").getByText("Sandbox, no network"));
});

test("a sandbox that an agent does not have is a clear problem, and nothing that was written is lost", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server, { expectedErrors: ["503"] });
  await choose(page, "Sandbox", /^Sandbox, no network/);
  const field = page.getByRole("textbox", { name: "First message" });
  await field.fill("Hello");
  await page.getByRole("button", { name: "Start the session" }).click();
  await expectVisible(page.getByRole("alert").getByText(/sandbox/));
  await expect.poll(() => field.inputValue()).toBe("Hello");
  expect((await server.client.sessions.list()).sessions).toEqual([]);
});
