import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { checkToken, loadSharedToken, loadToken } from "./token.ts";

async function dataDirectory(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "turnwire-token-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

describe("the token file", () => {
  test("is made with 256 random bits, for its owner only", async () => {
    const directory = await dataDirectory();
    const token = await loadToken(directory);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect((await stat(join(directory, "token"))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await readdir(directory)).toEqual(["token"]);
  });

  test("keeps its token", async () => {
    const directory = await dataDirectory();
    expect(await loadToken(directory)).toBe(await loadToken(directory));
  });

  test("has one token, even when many processes make it at once", async () => {
    const directory = await dataDirectory();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => loadToken(directory)));
    expect(new Set(tokens).size).toBe(1);
    expect((await readFile(join(directory, "token"), "utf8")).trim()).toBe(tokens[0]);
    expect(await readdir(directory)).toEqual(["token"]);
  });

  test.each(["0644", "0660", "0604"])("with mode %s is refused", async (mode) => {
    const directory = await dataDirectory();
    await loadToken(directory);
    await chmod(join(directory, "token"), Number.parseInt(mode, 8));
    await expect(loadToken(directory)).rejects.toMatchObject({
      code: "token_unsafe",
      message: expect.stringContaining("delete it"),
    });
  });

  test("that is a link, a directory or too short is refused", async () => {
    const linked = await dataDirectory();
    await mkdir(linked);
    await writeFile(`${linked}.elsewhere`, "x".repeat(43), { mode: 0o600 });
    await symlink(`${linked}.elsewhere`, join(linked, "token"));
    await expect(loadToken(linked)).rejects.toMatchObject({ code: "token_unsafe" });

    const dangling = await dataDirectory();
    await mkdir(dangling);
    await symlink("/nonexistent/token", join(dangling, "token"));
    await expect(loadToken(dangling)).rejects.toMatchObject({ code: "token_unsafe" });

    const nested = await dataDirectory();
    await mkdir(join(nested, "token"), { recursive: true });
    await expect(loadToken(nested)).rejects.toMatchObject({ code: "token_unsafe" });

    const short = await dataDirectory();
    await mkdir(short);
    await writeFile(join(short, "token"), "hunter2\n", { mode: 0o600 });
    await expect(loadToken(short)).rejects.toMatchObject({ code: "token_weak" });
  });

  test("a given token must be hard to guess", () => {
    expect(checkToken("0123456789abcdef0123456789abcdef", "TURNWIRE_TOKEN")).toHaveLength(32);
    for (const weak of ["", "short", "has blanks in it, which is odd", "x".repeat(600)]) {
      expect(() => checkToken(weak, "TURNWIRE_TOKEN")).toThrow(
        "TURNWIRE_TOKEN is not a safe token",
      );
    }
  });
});

describe("the token of hosts that share a store", () => {
  test("is one for all, even when they start at once, and stands in each one's file", async () => {
    const { values } = createMemoryStore({ isShared: true });
    const directories = await Promise.all(Array.from({ length: 10 }, () => dataDirectory()));
    const tokens = await Promise.all(directories.map((path) => loadSharedToken(values, path)));
    expect(new Set(tokens).size).toBe(1);
    for (const directory of directories) {
      expect(await loadToken(directory)).toBe(tokens[0]);
      expect((await stat(join(directory, "token"))).mode & 0o777).toBe(0o600);
      expect(await readdir(directory)).toEqual(["token"]);
    }
  });

  test("is that of the first host, which it had before; others give theirs up", async () => {
    const { values } = createMemoryStore({ isShared: true });
    const [first, second] = [await dataDirectory(), await dataDirectory()];
    const [own] = [await loadToken(first), await loadToken(second)];
    expect(await loadSharedToken(values, first)).toBe(own);
    expect(await loadSharedToken(values, second)).toBe(own);
    expect(await loadToken(second)).toBe(own);
  });

  test("is refused when somebody could guess it, and then changes no file", async () => {
    const { values } = createMemoryStore({ isShared: true });
    const directory = await dataDirectory();
    const own = await loadToken(directory);
    await values.writeValue("token", "secret");
    await expect(loadSharedToken(values, directory)).rejects.toMatchObject({ code: "token_weak" });
    expect(await loadToken(directory)).toBe(own);
  });

  test("does not begin with a token of its own while the store is away", async () => {
    const { values } = createMemoryStore({ isShared: true });
    const directory = await dataDirectory();
    values.readValue = () => Promise.reject(new StoreError("unavailable", "the database is away"));
    await expect(loadSharedToken(values, directory)).rejects.toMatchObject({
      code: "unavailable",
    });
  });
});
