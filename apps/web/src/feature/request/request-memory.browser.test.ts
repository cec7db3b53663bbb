import { expect, test } from "vitest";
import { startAppServer } from "../../test-support/app-server.ts";
import {
  conversation,
  expectVisible,
  messageField,
  openSession,
  say,
  sessionRow,
} from "../../test-support/browser.ts";
import { requestCard, untilArmed } from "../../test-support/request.ts";

test("after Back by mouse the card has the focus, so that its keys work", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await say(page, "/permission");
  const card = requestCard(page, "Run this command?");
  await card.getByRole("button", { name: "Allow always…" }).click();
  await card.getByRole("button", { name: "Back" }).click();
  await untilArmed(card);
  await page.keyboard.press("e");
  await card.getByRole("button", { name: "Back" }).click();
  await untilArmed(card);
  await page.keyboard.press("y");
  await expectVisible(conversation(page).getByText("Allowed", { exact: true }));
});

test("what was typed into a card and attached to a message is there again after a visit to another session", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server, { title: "The first" });
  await server.client.sessions.create({ title: "The second" });
  await say(page, "/permission");
  const card = requestCard(page, "Run this command?");
  const reason = card.getByRole("textbox", { name: "Reason or instructions (optional)" });
  await reason.fill("Not on a Friday");
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Some notes") };
  await page.getByLabel("Files to attach").setInputFiles(file);
  const attachments = page.getByRole("list", { name: "Attachments" });
  await expectVisible(attachments.getByText("notes.txt"));

  await sessionRow(page, "The second").getByRole("link").click();
  await expectVisible(page.getByRole("heading", { name: "The second" }));
  await expectVisible(messageField(page));
  expect(await attachments.count()).toBe(0);

  await sessionRow(page, "The first").getByRole("link").click();
  await expectVisible(attachments.getByText("notes.txt"));
  await expect.poll(() => reason.inputValue()).toBe("Not on a Friday");
});
