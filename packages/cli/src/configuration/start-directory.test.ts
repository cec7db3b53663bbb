import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findClone, startDirectoryFrom } from "./start-directory.ts";

const place = { home: "/home/me", dataDirectory: "/home/me/.turnwire", clone: "/home/me/turnwire" };

test.each([
  ["/home/me/code/shop", "/home/me/code/shop"],
  ["/srv/app", "/srv/app"],
  ["/home/me/turnwire-notes", "/home/me/turnwire-notes"],
  ["/home/me", undefined],
  ["/home", undefined],
  ["/", undefined],
  ["/home/me/.turnwire", undefined],
  ["/home/me/.turnwire/codex", undefined],
  ["/home/me/turnwire", undefined],
  ["/home/me/turnwire/apps/web", undefined],
])("a server that was started in %s has as a project from the beginning: %s", (cwd, expected) => {
  expect(startDirectoryFrom({ ...place, cwd })).toBe(expected);
});

test("an installed program has no clone, so that a project that depends on it is one", () => {
  const cwd = "/home/me/code/shop";
  const clone = findClone(join(cwd, "node_modules", "turnwire", "dist"));
  expect(clone).toBeUndefined();
  expect(startDirectoryFrom({ ...place, cwd, clone })).toBe(cwd);
});

test("the clone of this program is where its packages are", () => {
  expect(readdirSync(findClone() ?? "")).toEqual(expect.arrayContaining(["apps", "packages"]));
});
