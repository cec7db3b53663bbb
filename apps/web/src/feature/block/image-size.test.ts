import { expect, test } from "vitest";
import { imageSize } from "./image-size.ts";

const images: Readonly<Record<string, string>> = {
  png: "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
  gif: "R0lGODlhAwACAIAAAAAAAP///yH5BAEAAAAALAAAAAADAAIAAAIChF8AOw==",
};

const heads: Readonly<Record<string, readonly number[]>> = {
  jpeg: [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 17, 8, 0, 2, 0, 3, 3, 0, 0, 0, 0],
  "lossy webp": webp("VP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 0x01, 0x2a, 3, 0, 2, 0]),
  "lossless webp": webp("VP8L", [0, 0, 0, 0, 0x2f, 0x02, 0x40, 0, 0, 0, 0, 0, 0, 0]),
  "extended webp": webp("VP8X", [10, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0]),
};

function webp(kind: string, rest: readonly number[]): number[] {
  return [...new TextEncoder().encode(`RIFF\0\0\0\0WEBP${kind}`), ...rest];
}

test.each(Object.entries(images))("a %s tells its size", (_kind, base64) => {
  expect(imageSize(base64)).toEqual({ width: 3, height: 2 });
});

test.each(Object.entries(heads))("a %s tells its size by its head alone", (_kind, bytes) => {
  expect(imageSize(btoa(String.fromCodePoint(...bytes)))).toEqual({ width: 3, height: 2 });
});

test.each(["", "not base64!", btoa("just some text that is long enough to be read"), "iVBORw0K"])(
  "%j has no size",
  (base64) => {
    expect(imageSize(base64)).toBeUndefined();
  },
);
