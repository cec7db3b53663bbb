import { expect, test } from "vitest";
import { attachmentProblem, contentFrom, megabytes } from "./attachment.ts";

const all = { images: true, documents: true, attached: 0 };
const megabyte = 1024 * 1024;

test("images and documents within the limits can be attached", () => {
  expect(attachmentProblem({ name: "a.png", type: "image/png", size: 5 }, all)).toBeUndefined();
  expect(attachmentProblem({ name: "a.ts", type: "video/mp2t", size: 5 }, all)).toBeUndefined();
});

test.each([
  [{ name: "a.svg", type: "image/svg+xml", size: 5 }, all, /only PNG/],
  [
    { name: "a.png", type: "image/png", size: 6 * megabyte },
    all,
    /is 6 MB, over the limit of 5 MB/,
  ],
  [{ name: "a.pdf", type: "application/pdf", size: 15 * megabyte }, all, /limit of 14 MB/],
  [{ name: "a.txt", type: "text/plain", size: 0 }, all, /is empty/],
  [{ name: "a.png", type: "image/png", size: 5 }, { ...all, images: false }, /not accept images/],
  [
    { name: "a.pdf", type: "application/pdf", size: 5 },
    { ...all, documents: false },
    /not accept doc/,
  ],
  [
    { name: "b.pdf", type: "application/pdf", size: 8 * megabyte },
    { ...all, attached: 8 * megabyte },
    /attachments together/,
  ],
])("%j is refused with the reason", (file, acceptance, reason) => {
  expect(attachmentProblem(file, acceptance)).toMatch(reason);
});

test("a message with attachments has them before its words, and may have no words", () => {
  const source = { type: "base64", media_type: "image/png", data: "AA==" } as const;
  const block = { type: "image", source } as const;
  const attachment = { id: "1", name: "a.png", bytes: 1, block };
  expect(contentFrom("look", [attachment])).toEqual([block, { type: "text", text: "look" }]);
  expect(contentFrom(" ", [attachment])).toEqual([block]);
  expect(contentFrom("look", [])).toBe("look");
});

test("sizes are rounded", () => {
  expect(megabytes(2000)).toBe("2 kB");
  expect(megabytes(5 * megabyte)).toBe("5 MB");
  expect(megabytes(1.25 * megabyte)).toBe("1.3 MB");
});
