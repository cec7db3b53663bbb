import { chmod, chown, mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareStoreFile } from "./store-file.ts";
import { LEASE_MS, recordOf } from "../../test-support/session.ts";
import { openForTest, temporaryPath } from "./test-support/temporary-store.ts";

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe("the files of a store", () => {
  test("are for their owner only, and so is the directory made for them", async () => {
    const path = await temporaryPath();
    const store = await openForTest(path);
    await store.createSession(recordOf("one"), "test", LEASE_MS);
    const directory = dirname(path);
    expect(await modeOf(directory)).toBe("700");
    const names = (await readdir(directory)).toSorted();
    expect(names).toStrictEqual(["store.db", "store.db-shm", "store.db-wal", "store.db.lock"]);
    for (const name of names) expect(await modeOf(join(directory, name))).toBe("600");
  });

  test("become private where they were open to others", async () => {
    const path = await temporaryPath();
    await (await openForTest(path)).close();
    await chmod(path, 0o666);
    await chmod(`${path}.lock`, 0o644);
    await openForTest(path);
    expect(await modeOf(path)).toBe("600");
    expect(await modeOf(`${path}.lock`)).toBe("600");
    expect(await modeOf(`${path}-wal`)).toBe("600");
  });

  test("leave the mode of a directory that was there", async () => {
    const path = await temporaryPath();
    await mkdir(dirname(path), { mode: 0o755 });
    await prepareStoreFile(path);
    expect(await modeOf(dirname(path))).toBe("755");
  });

  test.for(["", "-wal", "-shm", ".lock"])(
    "are refused when %j is a symbolic link, and what it names is not touched",
    async (suffix) => {
      const path = await temporaryPath();
      await mkdir(dirname(path));
      const target = join(dirname(path), "target");
      await writeFile(target, "precious", { mode: 0o644 });
      await symlink(target, `${path}${suffix}`);
      await expect(openForTest(path)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("is a symbolic link"),
      });
      expect(await modeOf(target)).toBe("644");
    },
  );

  test("are refused when the path is a directory", async () => {
    const path = await temporaryPath();
    await mkdir(path, { recursive: true });
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("is not a file"),
    });
  });

  test("are refused when the directory cannot be made", async () => {
    const path = await temporaryPath();
    await writeFile(dirname(path), "a file where the directory should be");
    await expect(openForTest(path)).rejects.toMatchObject({ code: "unavailable" });
  });

  test.runIf(process.getuid?.() === 0)("are refused when another user owns them", async () => {
    const path = await temporaryPath();
    await (await openForTest(path)).close();
    await chown(path, 12_345, 12_345);
    await expect(openForTest(path)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("belongs to user 12345"),
    });
  });
});
