import { demo } from "@turnwire/runtime/demo";
import { describe, expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { choose, expectVisible, openApp, ownMessage } from "../../test-support/browser.ts";
import { firstMessage, projectButton, agent, createHold } from "../../test-support/new-session.ts";

test("a session starts with the chosen project, effort and mode, and the next one offers them again", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await choose(page, "Effort", "High effort");
  await choose(page, "Permission mode", /^Plan only/);
  await firstMessage(page).fill("Look around\nthen tell me");
  await page.keyboard.press("Enter");
  await expectVisible(page.getByRole("heading", { name: "Look around" }));
  const { sessions } = await server.client.sessions.list();
  expect(sessions).toMatchObject([
    {
      title: "Look around",
      cwd: server.root,
      effort: "high",
      permission_mode: "plan",
    },
  ]);
  await page.getByRole("link", { name: "New session", exact: true }).click();
  await expectVisible(projectButton(page).getByText(server.root));
  const mode = page.getByRole("combobox", { name: "Permission mode" });
  await expect.poll(() => mode.textContent()).toBe("Plan only");
  await expect
    .poll(() => page.getByRole("combobox", { name: "Effort" }).textContent())
    .toBe("High effort");
});

test("a first message that is not sent yet survives a reload, and is gone once it is sent", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  await firstMessage(page).fill("Half a thought");
  await page.reload();
  await expect.poll(() => firstMessage(page).inputValue()).toBe("Half a thought");
  await firstMessage(page).press("Enter");
  await expectVisible(ownMessage(page, "Half a thought"));
  await page.goto(server.url);
  await expect.poll(() => firstMessage(page).inputValue()).toBe("");
});

test("Enter before the agents are known starts the session as soon as they are", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server);
  const { held, release } = createHold();
  await page.route(/\/(runtimes|projects)$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await firstMessage(page).fill("In a hurry");
  await firstMessage(page).press("Enter");
  release();
  await expectVisible(ownMessage(page, "In a hurry"));
  expect((await server.client.sessions.list()).sessions).toHaveLength(1);
});

test("a session that cannot start keeps the text, and says why beside the field, in plain words", async () => {
  const server = await startAppServer();
  const { page } = await openApp(server, { expectedErrors: ["403"] });
  const error = { code: "cwd_not_allowed", message: "That folder is gone.", retryable: false };
  await page.route("**/sessions", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 403, json: { error } })
      : route.continue(),
  );
  await firstMessage(page).fill("Read the passwords");
  await firstMessage(page).press("Enter");
  await expectVisible(page.locator("form").getByRole("alert").getByText("That folder is gone."));
  await expect.poll(() => firstMessage(page).inputValue()).toBe("Read the passwords");
  expect(await page.getByText(/refused with|403/).count()).toBe(0);
});

describe("agents", () => {
  test("the first connected agent is chosen, not the demo", async () => {
    const runtimes = [demo({ delayMs: 0 }), agent("claude", () => "connected")];
    const server = await startAppServer({ runtimes });
    const { page } = await openApp(server);
    await expect.poll(() => page.getByRole("radio", { name: /^claude/ }).isChecked()).toBe(true);
    await expectVisible(page.getByText("Scripted, touches nothing"));
  });

  test("one that is not connected shows what to do, cannot be started by Enter, and is found by Check again", async () => {
    let status: "connected" | "not_connected" = "not_connected";
    const runtimes = [demo({ delayMs: 0 }), agent("claude", () => status)];
    const server = await startAppServer({ runtimes });
    const { page } = await openApp(server);
    await expectVisible(page.getByRole("heading", { name: "Connect an agent, or try the demo" }));
    await expect.poll(() => page.getByRole("radio", { name: /^Demo/ }).isChecked()).toBe(true);
    await page.getByText("How to connect claude").click();
    await expectVisible(page.getByText("claude login"));
    await expectVisible(page.getByRole("button", { name: "Copy claude login" }));
    await expectAccessible(page);
    await page.getByText("How to connect claude").click();
    await page.getByRole("radio", { name: /^claude/ }).check();
    await expectVisible(page.getByText("claude login"));
    await firstMessage(page).fill("A first task");
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("alert").getByText(/claude is not connected yet/));
    await expect.poll(() => firstMessage(page).inputValue()).toBe("A first task");
    expect((await server.client.sessions.list()).sessions).toEqual([]);
    await page.getByRole("button", { name: "Check again" }).click();
    await expectVisible(page.getByText("Still missing: claude."));
    status = "connected";
    await page.getByRole("button", { name: "Check again" }).click();
    await expectVisible(page.getByText("Everything is connected."));
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("heading", { name: "A first task" }));
    expect((await server.client.sessions.list()).sessions).toMatchObject([{ runtime: "claude" }]);
  });

  test("a demo that was not chosen gives way to an agent that is connected later", async () => {
    let status: "connected" | "not_connected" = "not_connected";
    const runtimes = [demo({ delayMs: 0 }), agent("claude", () => status)];
    const server = await startAppServer({ runtimes });
    const { page } = await openApp(server);
    await firstMessage(page).fill("Try it");
    await firstMessage(page).press("Enter");
    await expectVisible(page.getByRole("heading", { name: "Try it" }));
    status = "connected";
    await page.goto(server.url);
    await expect.poll(() => page.getByRole("radio", { name: /^claude/ }).isChecked()).toBe(true);
  });
});
