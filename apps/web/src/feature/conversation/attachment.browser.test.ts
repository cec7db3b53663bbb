import { createHash } from "node:crypto";
import { draft, type Attachment } from "@turnwire/protocol";
import { createMemoryStore } from "@turnwire/server";
import { expect, test } from "vitest";
import { expectAccessible } from "../../test-support/accessibility.ts";
import { startAppServer } from "../../test-support/app-server.ts";
import { conversation, expectVisible, openApp } from "../../test-support/browser.ts";
import { recordSession, turn } from "../../test-support/recorded-session.ts";

/** One pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

function stored(
  path: string,
  content: Uint8Array,
  kind: Pick<Attachment, "media_type" | "encoding">,
) {
  const digest = `sha256-${createHash("sha256").update(content).digest("hex")}`;
  const size = content.byteLength;
  const attachment: Attachment = { path, digest, size, ...kind };
  const kept = { digest, size, mediaType: kind.media_type, content };
  return { attachment, kept };
}

const asText = { media_type: "text/plain", encoding: "text" } as const;
const asImage = { media_type: "image/png", encoding: "base64" } as const;

async function openRecorded() {
  const store = createMemoryStore();
  const lines = Array.from({ length: 400 }, (_, line) => `line ${line} ${"x".repeat(1000)}`);
  const output = stored("/output", Buffer.from(lines.join("\n")), asText);
  const picture = stored("/content/0/source/data", png, asImage);
  const source = { type: "base64", media_type: "image/png", data: "" } as const;
  const [asked, ...rest] = turn("t1", [
    draft("tool_start", { message_id: "m", tool_use_id: "u", tool: "Bash", command: "cat log" }),
    {
      ...draft("tool_result", {
        tool_use_id: "u",
        output: "line 0\n… 400 kB left out …\nthe last line",
        is_error: false,
      }),
      attachments: [output.attachment],
    },
  ]);
  if (!asked) throw new Error("no turn");
  const message = {
    ...draft("user_message", {
      message_id: "t1-message",
      delivery: "turn",
      content: [
        { type: "image", source },
        { type: "text", text: "look at this" },
      ],
    }),
    attachments: [picture.attachment],
  };
  const id = await recordSession(store, [message, ...rest], [output.kept, picture.kept]);
  const server = await startAppServer({ store });
  const { page } = await openApp(server);
  await page.goto(`${server.url}/s/${id}`);
  return { page };
}

test("a long output shows its preview, and all of it on demand, by keyboard", async () => {
  const { page } = await openRecorded();
  await conversation(page).getByRole("button", { name: /Bash/ }).click();
  await expectVisible(conversation(page).getByText(/400 kB left out/));
  await expectAccessible(page);
  const more = conversation(page).getByRole("button", { name: /^Show all \(\d+ kB\)$/ });
  await more.focus();
  await page.keyboard.press("Enter");
  await expectVisible(conversation(page).getByText(/line 399/));
  expect(
    await conversation(page)
      .getByText(/left out/)
      .count(),
  ).toBe(0);
  const less = conversation(page).getByRole("button", { name: "Show less" });
  expect(await less.evaluate((button) => button === document.activeElement)).toBe(true);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    conversation(page).getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("output.txt");
  await less.click();
  await expectVisible(conversation(page).getByText(/left out/));
});

test("an image of a message is loaded from beside the log", async () => {
  const { page } = await openRecorded();
  const image = conversation(page).getByRole("img", { name: "Attached image" });
  await expectVisible(image);
  await expect
    .poll(() => image.evaluate((shown) => shown instanceof HTMLImageElement && shown.naturalWidth))
    .toBe(1);
});
