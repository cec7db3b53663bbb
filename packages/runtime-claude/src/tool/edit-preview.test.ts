import { mkdtemp, mkdir, realpath, rm, symlink, writeFile, chmod } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { previewEdit } from "./edit-preview.ts";

let directory: string;
let cwd: string;

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "turnwire-preview-")));
  cwd = join(directory, "project");
  await mkdir(cwd);
  await writeFile(join(cwd, "greet.ts"), "// first\nconst hello = 1;\n// last\n");
  await writeFile(join(cwd, "windows.txt"), "one\r\ntwo\r\n");
  await writeFile(join(cwd, "twice.txt"), "x\ny\nx\n");
  await writeFile(join(cwd, "binary.bin"), "a\0b");
  await writeFile(join(cwd, "large.txt"), "x".repeat(1024 * 1024 + 1));
  await writeFile(join(directory, "secret.txt"), "secret\n");
  await symlink(join(directory, "secret.txt"), join(cwd, "link.txt"));
  await writeFile(join(cwd, "locked.txt"), "locked\n");
  await chmod(join(cwd, "locked.txt"), 0o000);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function edit(file_path: string, old_string: string, more: object = {}) {
  return previewEdit(cwd, "Edit", { file_path, old_string, new_string: "new", ...more });
}

test("an edit is shown at its line, with what is around it", async () => {
  expect(await edit("greet.ts", "const hello = 1;")).toBe(
    `--- ${cwd}/greet.ts\n+++ ${cwd}/greet.ts\n@@ -1,3 +1,3 @@\n // first\n-const hello = 1;\n+new\n // last\n`,
  );
  expect(await edit(join(cwd, "greet.ts"), "const hello = 1;")).toContain("@@ -1,3");
});

test("an edit of all places shows all of them", async () => {
  const diff = await edit("twice.txt", "x", { replace_all: true });
  expect(diff?.match(/^\+new$/gm)).toHaveLength(2);
});

test("writing over a file shows what changes in it", async () => {
  const content = "// first\nconst hello = 2;\n// last\n";
  const diff = await previewEdit(cwd, "Write", { file_path: "greet.ts", content });
  expect(diff).toContain("-const hello = 1;\n+const hello = 2;\n");
  expect(diff).not.toContain("-// first");
});

test("line ends of Windows do not hide the text", async () => {
  expect(await edit("windows.txt", "one\ntwo")).toContain("-one");
});

test.each([
  ["../secret.txt", "secret"],
  ["/etc/hostname", ""],
  ["link.txt", "secret"],
  ["missing.txt", "x"],
  ["greet.ts", "absent"],
  ["twice.txt", "x"],
  ["binary.bin", "a"],
  ["large.txt", "x"],
  [".", "x"],
])("%s is not read, or has no one place for the text", async (path, old) => {
  expect(await edit(path, old)).toBeUndefined();
});

test("other tools and wrong inputs have no preview", async () => {
  expect(await previewEdit(cwd, "Bash", { command: "ls", file_path: "greet.ts" })).toBeUndefined();
  expect(await previewEdit(cwd, "Edit", { file_path: 3 })).toBeUndefined();
});
