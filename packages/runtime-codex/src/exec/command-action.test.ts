import { expect, test } from "vitest";
import { actionsFrom } from "./command-action.ts";

test.each([
  ["cat src/a.ts", { type: "read", path: "src/a.ts" }],
  ["cat -n 'with blank.txt'", { type: "read", path: "with blank.txt" }],
  ["sed -n '1,40p' src/a.ts", { type: "read", path: "src/a.ts" }],
  ["head -n 20 src/a.ts", { type: "read", path: "src/a.ts" }],
  ["head -20 src/a.ts", { type: "read", path: "src/a.ts" }],
  ["tail -n +5 a.log", { type: "read", path: "a.log" }],
  ['rg -n "two words" src', { type: "search", query: "two words", path: "src" }],
  ["grep -rn needle", { type: "search", query: "needle", path: undefined }],
  ["ls", { type: "listFiles", path: undefined }],
  ["ls -la src", { type: "listFiles", path: "src" }],
])("%s is a reading", (command, action) => {
  expect(actionsFrom(command)).toEqual([action]);
});

test.each([
  "cat a.txt > b.txt",
  "cat a.txt | sh",
  "cat a.txt; rm a.txt",
  "cat a.txt && rm a.txt",
  "cat $(rm a.txt)",
  "cat `rm a.txt`",
  "cat $HOME/.ssh/id",
  "cat a.txt\nrm a.txt",
  "ls\nrm",
  "cat a b",
  "cat *.txt",
  "sed -i s/a/b/ a.txt",
  "sed -n '1w out' a.txt",
  "rg --pre ./run.sh needle",
  "constructor a",
  "",
  "cat",
  "cat 'open",
])("%s is taken as the command it is", (command) => {
  expect(actionsFrom(command)).toEqual([]);
});
