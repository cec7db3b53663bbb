import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("the examples of the README and the guide compile", async () => {
  const pages = await Promise.all(
    ["packages/client/README.md", "docs/packages/client.md"].map((page) =>
      readFile(join(root, page), "utf8"),
    ),
  );
  const examples = pages.flatMap((page) =>
    Array.from(page.matchAll(/```ts\n(.*?)```/gs), ([, code = ""]) => code),
  );
  expect(examples.length).toBeGreaterThan(3);
  const cache = join(root, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, "turnwire-readme-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const files = examples.map((code, index) => ({ name: `example-${index}.ts`, code }));
  for (const { name, code } of files) await writeFile(join(directory, name), code);
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { noEmit: true, composite: false, types: ["node"], lib: ["ES2023", "DOM"] },
    include: ["*.ts"],
  };
  await writeFile(join(directory, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(root, "node_modules", ".bin", "tsc");
  const compiling = promisify(execFile)(tsc, ["-p", directory]);
  await expect(compiling).resolves.toMatchObject({ stdout: "" });
});
