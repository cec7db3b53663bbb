import { createMemoryStore } from "@turnwire/server";
import { draft } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  conversation,
  expectVisible,
  messageField,
  openApp,
  openSession,
  ownMessage,
  say,
} from "../../test-support/browser.ts";
import { recordSession } from "../../test-support/recorded-session.ts";

test("the question whether to roll back stays while a turn runs, and can be answered after it", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await say(page, "Regretted");
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(1);
  await ownMessage(page, "Regretted").hover();
  await page.getByRole("button", { name: "Roll back to before this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back the conversation?" });
  const answer = dialog.getByRole("button", { name: "Roll back", exact: true });
  await expectVisible(answer);
  await server.client.sessions.message(sessionId, { message: "/permission" });
  await expectVisible(dialog.getByText("You can roll back once the agent is done."));
  expect(await answer.isDisabled()).toBe(true);
  await server.client.sessions.stop(sessionId);
  await answer.click();
  await ownMessage(page, "Regretted").waitFor({ state: "detached" });
});

test("a message that was rolled back is in the field again with its files, to be changed and sent", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await page.locator("input[type=file]").setInputFiles({
    name: "notes.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("some notes"),
  });
  await expectVisible(page.getByRole("list", { name: "Attachments" }));
  await say(page, "Second thoughts");
  await expect.poll(() => page.getByRole("button", { name: "Copy the answer" }).count()).toBe(1);
  await messageField(page).fill("and this");
  await ownMessage(page, "Second thoughts").hover();
  await page.getByRole("button", { name: "Roll back to before this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Roll back the conversation?" });
  await dialog.getByRole("checkbox", { name: /restore the files/ }).check();
  await expectAccessible(page);
  const asked = page.waitForRequest((request) => request.url().endsWith("/rollback"));
  await dialog.getByRole("button", { name: "Roll back", exact: true }).click();
  expect((await asked).postDataJSON()).toMatchObject({ files: true });
  await expect.poll(() => messageField(page).inputValue()).toBe("Second thoughts\nand this");
  await expectVisible(page.getByRole("list", { name: "Attachments" }).getByText("notes.txt"));
  await expect
    .poll(() => messageField(page).evaluate((field) => field.matches(":focus")))
    .toBe(true);
  await say(page, "Better words");
  await expectVisible(agentMessage(page).getByText(/Better words/));
  const { state } = await server.client.sessions.snapshot(sessionId);
  expect(state.messages.filter(({ role }) => role === "user")).toHaveLength(1);
});

test("answers are copied as they were written", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await say(page, "/mcp");
  await page.getByRole("button", { name: "Copy the answer" }).click();
  await expectVisible(page.getByRole("button", { name: "Copied" }));
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "I will continue with `files` alone.",
  );
});

test.each(["light", "dark"] as const)(
  "every kind of block is accessible in the %s theme, open and closed",
  async (colorScheme) => {
    const server = await startAppServer();
    const { page } = await openSession(server, { colorScheme });
    for (const name of ["thinking", "tools", "read", "diff", "plan", "subagents", "mcp", "error"]) {
      await say(page, `/${name}`);
    }
    await expectVisible(conversation(page).getByText(/The model is overloaded/));
    await expectAccessible(page);
    const closed = conversation(page).locator("button[aria-expanded=false]");
    for (let count = 0; count < 8 && (await closed.count()) > 0; count += 1)
      await closed.last().click();
    await expectAccessible(page);
  },
);

test("what a person attached is shown, with its room kept", async () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==";
  const store = createMemoryStore();
  const source = { type: "base64", media_type: "image/png", data: png } as const;
  const paper = { type: "base64", media_type: "text/plain", data: btoa("words") } as const;
  const sessionId = await recordSession(store, [
    draft("user_message", {
      message_id: "m",
      delivery: "turn",
      content: [
        { type: "text", text: "Look at this" },
        { type: "image", source },
        { type: "document", title: "notes.txt", source: paper },
      ],
    }),
  ]);
  const server = await startAppServer({ store });
  const { page } = await openApp(server);
  await page.goto(`${server.url}/s/${sessionId}`);
  await expectVisible(ownMessage(page, "notes.txt"));
  const image = page.getByRole("img", { name: "Attached image" });
  expect(await image.getAttribute("width")).toBe("3");
  expect(await image.getAttribute("height")).toBe("2");
});
