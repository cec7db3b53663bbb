import { demo } from "@turnwire/runtime/demo";
import type { Runtime } from "@turnwire/runtime";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { expectVisible, openApp } from "../../test-support/browser.ts";

/** The demo under another name, as if it were an agent that is connected. */
function agent(label: string, specialPurpose?: string): Runtime {
  return {
    ...demo({ delayMs: 0 }),
    name: label.toLowerCase(),
    label,
    ...(specialPurpose !== undefined && { specialPurpose }),
    check: async () => ({ isAvailable: true, connection: { status: "connected" } }),
  };
}

const runtimes = [
  agent("Usual"),
  agent("Night", "For work that runs unattended."),
  agent("Remote", "For agents that dial in."),
];

function radios(page: Page) {
  return page.getByRole("radiogroup", { name: "Agent" }).getByRole("radio");
}

function moreButton(page: Page) {
  return page.getByRole("button", { name: "More agents" });
}

test("agents for special cases appear on demand, each with what it is for", async () => {
  const server = await startAppServer({ runtimes });
  const { page } = await openApp(server);
  await expectVisible(moreButton(page));
  await expect.poll(() => radios(page).count()).toBe(1);
  expect(await moreButton(page).getAttribute("aria-expanded")).toBe("false");
  await moreButton(page).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => radios(page).count()).toBe(3);
  expect(await moreButton(page).getAttribute("aria-expanded")).toBe("true");
  const night = page.getByRole("radio", {
    name: /^Night/,
    description: "For work that runs unattended.",
  });
  await expectVisible(night);
  await expectAccessible(page);
  await page.keyboard.press("Space");
  await expect.poll(() => radios(page).count()).toBe(1);
});

test("a chosen agent for special cases stays in sight, also on the next visit", async () => {
  const server = await startAppServer({ runtimes });
  const { page } = await openApp(server);
  await moreButton(page).click();
  const night = page.getByRole("radio", { name: /^Night/ });
  await night.check();
  await moreButton(page).click();
  await expect.poll(() => radios(page).count()).toBe(2);
  expect(await night.isChecked()).toBe(true);
  await expectVisible(page.getByText("For work that runs unattended."));
  await page.reload();
  await expectVisible(night);
  expect(await night.isChecked()).toBe(true);
  await expect.poll(() => radios(page).count()).toBe(2);
});

test("nothing is put away where every agent is for a special case", async () => {
  const server = await startAppServer({ runtimes: runtimes.slice(1) });
  const { page } = await openApp(server);
  await expect.poll(() => radios(page).count()).toBe(2);
  expect(await moreButton(page).count()).toBe(0);
});

test("on a phone no status covers the name of its agent", async () => {
  const server = await startAppServer({ runtimes });
  const { page } = await openApp(server, { viewport: { width: 390, height: 844 } });
  await moreButton(page).click();
  await expect.poll(() => radios(page).count()).toBe(3);
  for (const label of ["Usual", "Night", "Remote"]) {
    const name = page.locator("label").getByText(label, { exact: true });
    expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  }
});
