import { expect, test } from "vitest";
import { browsed, shownEntries } from "./browse.ts";
import { displayPath, homeDirectory } from "./display-path.ts";

test.each([
  ["", { path: "/here", filter: "" }],
  ["web", { path: "/here", filter: "web" }],
  ["/", { path: "/", filter: "" }],
  ["/et", { path: "/", filter: "et" }],
  ["/home/me/code/app", { path: "/home/me/code", filter: "app" }],
  ["/home/me/code/", { path: "/home/me/code", filter: "" }],
  ["~", { path: "~", filter: "" }],
  ["~/co", { path: "~", filter: "co" }],
  [" ~/code/app ", { path: "~/code", filter: "app" }],
])("%j is looked up as %o", (query, expected) => {
  expect(browsed(query, "/here")).toEqual(expected);
});

function entry(name: string) {
  return { name, path: `/here/${name}`, is_git: false, is_hidden: name.startsWith(".") };
}

const entries = ["api", "web-app", "app", ".config"].map(entry);

test("folders are filtered by any part of their name, the best first", () => {
  const shown = (filter: string, isHiddenShown = false) =>
    shownEntries(entries, { filter, isHiddenShown }).map(({ name }) => name);
  expect(shown("")).toEqual(["api", "web-app", "app"]);
  expect(shown("APP")).toEqual(["app", "web-app"]);
  expect(shown("none")).toEqual([]);
  expect(shown(".c")).toEqual([".config"]);
  expect(shown("", true)).toContain(".config");
});

test.each([
  ["/home/me", "~"],
  ["/home/me/code", "~/code"],
  ["/home/meadow", "/home/meadow"],
  ["/srv", "/srv"],
])("%s is written %s", (path, expected) => {
  expect(displayPath(path, "/home/me")).toBe(expected);
});

test("without a home a path is written whole", () => {
  expect(displayPath("/srv/code", undefined)).toBe("/srv/code");
  expect(displayPath("/srv/code", "/")).toBe("/srv/code");
});

test("the home directory is known from a project in it, or where no roots bound the picker", () => {
  const code = { path: "/home/me/code", display_path: "~/code" };
  const other = { path: "/srv", display_path: "/srv" };
  expect(homeDirectory([other, code], "/srv")).toBe("/home/me");
  expect(homeDirectory([{ path: "/home/me", display_path: "~" }], undefined)).toBe("/home/me");
  expect(homeDirectory([other], "/srv")).toBeUndefined();
  expect(homeDirectory([], "/home/me")).toBe("/home/me");
});
