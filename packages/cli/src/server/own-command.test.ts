import { expect, test } from "vitest";
import { ownCommand, ownOptions } from "./own-command.ts";

test("a command names the data directory only where it is not the default one", () => {
  const home = "/home/ann";
  expect(ownCommand("chat", { home, dataDirectory: "/home/ann/.turnwire" })).toBe(
    "npx turnwire chat",
  );
  expect(ownCommand("chat", { home, dataDirectory: "/srv/turnwire" })).toBe(
    "npx turnwire chat --data /srv/turnwire",
  );
});

test("a directory is one word for the shell, whatever is in its name", () => {
  const place = { home: "/home/ann", dataDirectory: "/tmp/it's $HOME `x`" };
  expect(ownOptions(place)).toBe(String.raw`--data '/tmp/it'\''s $HOME ` + "`x`'");
});
