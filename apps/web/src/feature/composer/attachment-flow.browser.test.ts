import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer, type AppServer } from "../../test-support/app-server.ts";
import {
  agentMessage,
  expectVisible,
  messageField,
  openSession,
} from "../../test-support/browser.ts";

/** One transparent point. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";

async function sent(server: AppServer, sessionId: string) {
  const { events } = await server.client.sessions.eventPage(sessionId, { limit: 1000 });
  return events.flatMap(({ type, data }) => (type === "user_message" ? data.content : []));
}

/** Gives the page a file by paste or drop, as a person's system would. */
async function give(page: Page, how: "paste" | "drop", words?: string): Promise<void> {
  const field = messageField(page);
  await field.evaluate(
    (element, { how, png, words }) => {
      const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], "point.png", { type: "image/png" }));
      if (words !== undefined) transfer.setData("text/plain", words);
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        how === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
          : new DragEvent("drop", { ...options, dataTransfer: transfer }),
      );
    },
    { how, png, words },
  );
}

test.each(["paste", "drop"] as const)(
  "an image comes by %s, is shown, and is sent",
  async (how) => {
    const server = await startAppServer();
    const { page, sessionId } = await openSession(server);
    // What the agent takes is known only with the session.
    await expectVisible(page.getByRole("button", { name: "Attach files" }));
    await give(page, how);
    await expectVisible(page.getByRole("list", { name: "Attachments" }).getByText("point.png"));
    await expectAccessible(page);
    await page.keyboard.type("What is this?");
    await page.keyboard.press("Enter");
    await expectVisible(agentMessage(page).getByText(/and 1 attachment/));
    const source = { type: "base64", media_type: "image/png", data: png };
    expect(await sent(server, sessionId)).toEqual([
      { type: "image", source },
      { type: "text", text: "What is this?" },
    ]);
    await expect.poll(() => page.getByRole("list", { name: "Attachments" }).count()).toBe(0);
  },
);

test("pasted words with a picture of them stay words", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  await give(page, "paste", "a table");
  await give(page, "drop");
  await expectVisible(page.getByRole("list", { name: "Attachments" }));
  await expect.poll(() => page.getByText("point.png").count()).toBe(1);
});

test("documents come by the picker, one can be taken away again", async () => {
  const server = await startAppServer();
  const { page, sessionId } = await openSession(server);
  await page.getByLabel("Files to attach").setInputFiles([
    { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes") },
    { name: "paper.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4") },
  ]);
  await expectVisible(page.getByText("paper.pdf"));
  await page.getByRole("button", { name: "Remove paper.pdf" }).click();
  await messageField(page).press("Enter");
  await expectVisible(agentMessage(page).getByText(/I got 1 attachment/));
  const data = Buffer.from("# Notes").toString("base64");
  expect(await sent(server, sessionId)).toEqual([
    {
      type: "document",
      title: "notes.md",
      source: { type: "base64", media_type: "text/plain", data },
    },
  ]);
});

test("a file that cannot be sent is refused with the reason", async () => {
  const server = await startAppServer();
  const { page } = await openSession(server);
  const picker = page.getByLabel("Files to attach");
  await picker.setInputFiles({
    name: "huge.png",
    mimeType: "image/png",
    buffer: Buffer.alloc(6 * 1024 * 1024),
  });
  await expectVisible(page.getByText(/huge.png is 6 MB, over the limit of 5 MB/));
  await picker.setInputFiles({
    name: "program.bin",
    mimeType: "application/octet-stream",
    buffer: Buffer.from([1, 0, 2]),
  });
  await expectVisible(page.getByText("program.bin is not an image, a PDF or a text file."));
  await expect.poll(() => page.getByRole("list", { name: "Attachments" }).count()).toBe(0);
});
