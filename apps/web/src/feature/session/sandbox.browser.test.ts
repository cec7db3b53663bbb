import { demo } from "@turnwire/runtime/demo";
import type { Runtime } from "@turnwire/runtime";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { choose, expectVisible, messageField, openApp } from "../../test-support/browser.ts";

/** The demo as an agent that has a sandbox, with what is missing for it. */
function sandboxedDemo(problem?: string): Runtime {
  const scripted = demo({ delayMs: 0 });
  return {
    ...scripted,
    capabilities: { ...scripted.capabilities, sandbox: true },
    sandboxProblem: () => Promise.resolve(problem),
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

test("a sandbox is offered only for agents that have one", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  // The agent is known now: what depends on it is there or is not.
  await expectVisible(page.getByRole("combobox", { name: "Permission mode" }));
  expect(await page.getByRole("combobox", { name: "Sandbox" }).count()).toBe(0);
});

test("a sandbox that is not installed is a clear problem, and nothing that was written is lost", async () => {
  const server = await startAppServer({ runtimes: [sandboxedDemo("Install the sandbox.")] });
  const { page } = await openApp(server, { expectedErrors: ["503"] });
  await choose(page, "Sandbox", /^Sandbox, no network/);
  const field = page.getByRole("textbox", { name: "First message" });
  await field.fill("Hello");
  await page.getByRole("button", { name: "Start the session" }).click();
  await expectVisible(page.getByRole("alert").getByText(/Install the sandbox/));
  await expect.poll(() => field.inputValue()).toBe("Hello");
  expect((await server.client.sessions.list()).sessions).toEqual([]);
});

test("a session whose policy mode no kernel holds shows that, with the reason", async () => {
  const agent = demo({ delayMs: 0 });
  const problem = "bubblewrap is not installed.";
  const containment = { kind: "none", problem } as const;
  const runtime = { ...agent, capabilities: { ...agent.capabilities, containment } };
  const server = await startAppServer({ runtimes: [runtime] });
  await server.client.sessions.create({ title: "Held", policy_mode: "planner" });
  const { page } = await openApp(server);
  await page.getByRole("link", { name: "Held" }).click();
  const note = page.locator("#main header").getByTitle(/bubblewrap is not installed/);
  await expectVisible(note.getByText("Not contained"));
});
