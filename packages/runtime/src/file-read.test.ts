import { expect, test } from "vitest";
import { fileReadFrom } from "./file-read.ts";

test.each([
  ["cat src/a.ts", { file_path: "src/a.ts" }],
  ["cat -n 'with blank.txt'", { file_path: "with blank.txt" }],
  ["cat a b", {}],
  ["cat *.txt", {}],
  ["sed -n '1,40p' src/a.ts", { file_path: "src/a.ts" }],
  ["head -n 20 src/a.ts", { file_path: "src/a.ts" }],
  ["head -20 src/a.ts", { file_path: "src/a.ts" }],
  ["tail -n +5 a.log", { file_path: "a.log" }],
  ["less -N a.txt", { file_path: "a.txt" }],
  ["stat -c '%s' a.txt", { file_path: "a.txt" }],
  ["stat a.txt", { file_path: "a.txt" }],
  ["file -b a.bin", { file_path: "a.bin" }],
  ["wc -l a.txt", { file_path: "a.txt" }],
  ["wc -l a.txt b.txt", {}],
  ['rg -n "two words" src', { pattern: "two words", search_path: "src" }],
  ["rg --files src", { search_path: "src" }],
  ["grep -rn needle", { pattern: "needle" }],
  ["grep -rn -A 3 needle src --include=*.ts", { pattern: "needle", search_path: "src" }],
  ["ls", {}],
  ["ls -la src", { search_path: "src" }],
  ["tree -L 2 src", { search_path: "src" }],
  ["find . -type f -name '*.ts'", { search_path: ".", pattern: "*.ts" }],
  ["find src -maxdepth 2 2>/dev/null", { search_path: "src" }],
  ["cat a.txt | head -5", { file_path: "a.txt" }],
  ["cat a.txt | grep -n needle | sort -u | wc -l", { file_path: "a.txt", pattern: "needle" }],
  ["find . -name '*.ts' | head -n 3", { search_path: ".", pattern: "*.ts" }],
  ["grep -rn needle src | sed -n '1,5p'", { pattern: "needle", search_path: "src" }],
  ["cd packages && cat a.txt", { file_path: "packages/a.txt" }],
  ["cd packages && ls", { search_path: "packages" }],
  ["cat a.txt && cat b.txt", {}],
  ["ls missing 2>&1 || true", { search_path: "missing" }],
  ["cat a.txt;", { file_path: "a.txt" }],
])("%s is a reading", (command, facts) => {
  expect(fileReadFrom(command)).toEqual({ is_file_read: true, ...facts });
});

test("a file that is read has its whole path where the directory is known", () => {
  expect(fileReadFrom("cd src && cat a.txt", "/project")).toMatchObject({
    file_path: "/project/src/a.txt",
  });
  expect(fileReadFrom("cat /etc/hosts", "/project")).toMatchObject({ file_path: "/etc/hosts" });
});

test.each([
  "cat a.txt > b.txt",
  "cat a.txt | sh",
  "cat a.txt | tee b.txt",
  "cat a.txt | grep x b.txt",
  "cat a.txt; rm a.txt",
  "cat a.txt && rm a.txt",
  "cat a.txt & rm a.txt",
  "cat $(rm a.txt)",
  "cat `rm a.txt`",
  "cat $HOME/.ssh/id",
  "cat a.txt\nrm a.txt",
  "ls\nrm",
  "sed -i s/a/b/ a.txt",
  "sed -n '1w out' a.txt",
  "sed '1,3p' a.txt",
  "rg --pre ./run.sh needle",
  "find . -delete",
  "find . -name x -exec rm {} +",
  "find * -name x",
  "tree -o out.txt",
  "less '+!rm a.txt' -x a.txt",
  "sort -o out.txt a.txt",
  "cat a | sort -o out.txt",
  "constructor a",
  "cat a | constructor",
  "cd src",
  "true",
  "",
  "cat",
  "cat 'open",
  "| cat a",
  "cat a |",
])("%s is taken as the command it is", (command) => {
  expect(fileReadFrom(command)).toBeUndefined();
});
