import { expect, test } from "vitest";
import { shortPath } from "./short-path.ts";

test.each([
  ["/home/me/project/src/a.ts", "/home/me/project", "src/a.ts"],
  ["cat /home/me/project/a /home/me/project/b", "/home/me/project/", "cat a b"],
  ["/home/me/projects/a.ts", "/home/me/project", "/home/me/projects/a.ts"],
  ["/etc/hosts", "/", "/etc/hosts"],
  ["/etc/hosts", undefined, "/etc/hosts"],
])("%s seen from %s is %s", (text, cwd, short) => {
  expect(shortPath(text, cwd)).toBe(short);
});
