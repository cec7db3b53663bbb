import { expect, test } from "vitest";
import { proofPropsFrom } from "./proof.tsx";

const src = "data:image/png;base64,iVBORw0KGgo=";

test("a proof is an image with a text for those who cannot see it", () => {
  expect(proofPropsFrom({ src, alt: "All tests pass", caption: "At 10:00" })).toEqual({
    title: undefined,
    mediaType: "image/png",
    data: "iVBORw0KGgo=",
    alt: "All tests pass",
    caption: "At 10:00",
  });
});

test.each([
  ["an image from elsewhere", { src: "https://example.com/a.png", alt: "x" }, "src"],
  ["a program", { src: "data:image/svg+xml;base64,PHN2Zz4=", alt: "x" }, "src"],
  ["a page", { src: "data:text/html;base64,PGI+", alt: "x" }, "src"],
  ["no base64", { src: "data:image/png;base64,<b>", alt: "x" }, "src"],
  ["no image", { alt: "x" }, "src"],
  ["no text", { src }, "alt"],
  ["an empty text", { src, alt: " " }, "alt"],
])("is not shown with %s", (_name, props, problem) => {
  expect(() => proofPropsFrom(props)).toThrow(problem);
});
