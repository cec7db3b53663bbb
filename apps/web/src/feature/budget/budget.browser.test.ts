import { test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, messageField, openApp, openSession } from "../../test-support/browser.ts";

test("a budget that was set for a new session is in force, and shown with what is used of it", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await page.getByRole("button", { name: "No budget" }).click();
  const dialog = page.getByRole("dialog", { name: "Budget of this session" });
  await dialog.getByRole("textbox", { name: "Turns" }).fill("0");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectVisible(dialog.getByRole("alert").getByText("Turns: enter a number greater than 0."));
  await expectAccessible(page);
  await dialog.getByRole("textbox", { name: "Turns" }).fill("3");
  await dialog.getByRole("textbox", { name: "Tokens" }).fill("200k");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expectVisible(page.getByRole("button", { name: "Budget: 200k tokens, 3 turns" }));
  await page.getByRole("textbox", { name: "First message" }).fill("Hello");
  await page.getByRole("button", { name: "Start the session" }).click();
  await messageField(page).waitFor();
  await expectVisible(page.getByRole("button", { name: "Budget: 1 of 3 turns" }));
});

test("a budget can be set, changed and removed while a session is there", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await page.getByRole("button", { name: "Actions for this session" }).click();
  await page.getByRole("menuitem", { name: "Budget…" }).click();
  const dialog = page.getByRole("dialog", { name: "Budget of this session" });
  await dialog.getByRole("textbox", { name: "Cost in US dollars" }).fill("$5");
  await dialog.getByRole("button", { name: "Save" }).click();
  const meter = page.getByRole("button", { name: /^Budget: \$/ });
  await expectVisible(meter);
  await meter.click();
  await dialog.getByRole("button", { name: "Remove all limits" }).click();
  await meter.waitFor({ state: "detached" });
});
