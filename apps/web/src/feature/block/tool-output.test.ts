import { expect, test } from "vitest";
import { toolOutput } from "./tool-output.ts";

test("text is text, whatever form it came in", () => {
  expect(toolOutput("plain")).toEqual({ text: "plain", images: [] });
  expect(toolOutput([{ type: "text", text: "one" }, "two"])).toEqual({
    text: "one\ntwo",
    images: [],
  });
  expect(toolOutput({ found: 1 }).text).toBe('{\n  "found": 1\n}');
  expect(toolOutput(undefined)).toEqual({ text: "", images: [] });
});

test("images are found among the text, as Claude and as MCP servers give them", () => {
  const output = [
    { type: "text", text: "a picture" },
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
    { type: "image", mimeType: "image/jpeg", data: "BBBB" },
  ];
  expect(toolOutput(output)).toEqual({
    text: "a picture",
    images: [
      { mediaType: "image/png", data: "AAAA", path: "/output/1" },
      { mediaType: "image/jpeg", data: "BBBB", path: "/output/2" },
    ],
  });
});

test.each([
  { type: "image", source: { media_type: "image/svg+xml", data: "AAAA" } },
  { type: "image", source: { media_type: "text/html", data: "AAAA" } },
  { type: "image", source: null },
  { type: "image", mimeType: "image/png", data: 1 },
])("%j is not an image to show", (part) => {
  expect(toolOutput([part]).images).toEqual([]);
});
