import * as fc from "fast-check";
import { expect, test } from "vitest";
import { argvFromText, textFromArgv } from "./argv-text.ts";

test("words are written as in a shell", () => {
  expect(textFromArgv(["npm", "run", "build"])).toBe("npm run build");
  expect(textFromArgv(["git", "commit", "-m", "it's done"])).toBe(`git commit -m 'it'\\''s done'`);
  expect(textFromArgv(["npm", ["run", "test"]])).toBe("npm {run,test}");
});

test("a text becomes the words that a shell would see", () => {
  expect(argvFromText(`  make  "all of it" a\\ b '' `)).toEqual(["make", "all of it", "a b", ""]);
  expect(argvFromText("npm {run,test} '{a,b}'")).toEqual(["npm", ["run", "test"], "{a,b}"]);
  expect(argvFromText("")).toEqual([]);
});

test("a quote that is not closed is not a rule", () => {
  expect(argvFromText("echo 'a")).toBeUndefined();
});

test("whatever the words are, they come back from their text", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (words) => {
      expect(argvFromText(textFromArgv(words))).toEqual(words);
    }),
  );
});
