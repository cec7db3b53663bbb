import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PathList } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeOf, startServer } from "../test-support/running-server.ts";

async function serveTree() {
  const parent = await realpath(await mkdtemp(join(tmpdir(), "turnwire-paths-")));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const root = join(parent, "code");
  for (const place of ["app/src", "app/node_modules/dep", "app/.git", "api", ".hidden"]) {
    await mkdir(join(root, place), { recursive: true });
  }
  await mkdir(join(parent, "secret", "inner"), { recursive: true });
  await writeFile(join(parent, "secret", "key.txt"), "");
  await symlink(join(parent, "secret"), join(root, "way-out"));
  await symlink(join(parent, "secret", "key.txt"), join(root, "app", "key.txt"));
  for (const file of ["app/README.md", "app/src/route.ts", "app/src/router.ts", "app/.git/HEAD"]) {
    await writeFile(join(root, file), "");
  }
  await writeFile(join(root, "app/node_modules/dep/route.ts"), "");
  const server = await startServer({ hostOptions: { roots: [root] } });
  const pathsFor = async (query: Record<string, string>) => {
    const answer = await server.request(`/paths?${new URLSearchParams(query).toString()}`);
    expect(answer.status).toBe(200);
    return PathList.parse(await answer.json()).paths.map(({ path }) => path);
  };
  return { ...server, root, parent, pathsFor };
}

describe("completing a directory", () => {
  test("begins with the roots", async () => {
    const { root, pathsFor } = await serveTree();
    expect(await pathsFor({})).toEqual([root]);
    expect(await pathsFor({ prefix: root.slice(0, -2) })).toEqual([root]);
  });

  test("continues with directories that begin like the last part, whatever their case", async () => {
    const { root, pathsFor } = await serveTree();
    expect(await pathsFor({ prefix: `${root}/` })).toEqual([`${root}/api`, `${root}/app`]);
    expect(await pathsFor({ prefix: `${root}/AP` })).toEqual([`${root}/api`, `${root}/app`]);
    expect(await pathsFor({ prefix: `${root}/app/` })).toEqual([`${root}/app/src`]);
    expect(await pathsFor({ prefix: `${root}/.h` })).toEqual([`${root}/.hidden`]);
    expect(await pathsFor({ prefix: `${root}/`, limit: "1" })).toEqual([`${root}/api`]);
  });

  test.each(["/secret/", "/code/../secret/", "/code/way-out/", "/s"])(
    "offers nothing outside the roots: %s",
    async (end) => {
      const { parent, pathsFor } = await serveTree();
      expect(await pathsFor({ prefix: `${parent}${end}` })).toEqual([]);
    },
  );
});

describe("finding files", () => {
  test("looks below a directory, names that begin with the text first, without .git and node_modules", async () => {
    const { root, pathsFor } = await serveTree();
    const cwd = join(root, "app");
    expect(await pathsFor({ kind: "file", cwd, prefix: "rout" })).toEqual([
      "src/route.ts",
      "src/router.ts",
    ]);
    expect(await pathsFor({ kind: "file", cwd, prefix: "src/router" })).toEqual(["src/router.ts"]);
    expect(await pathsFor({ kind: "file", cwd })).toEqual([
      "README.md",
      "src",
      "src/route.ts",
      "src/router.ts",
    ]);
  });

  test("looks in a session's own directory", async () => {
    const { root, createSession, pathsFor } = await serveTree();
    const session_id = await createSession({ cwd: join(root, "app", "src") });
    expect(await pathsFor({ kind: "file", session_id, prefix: "router" })).toEqual(["router.ts"]);
  });

  test("refuses directories outside the roots, and sessions that are not there", async () => {
    const { parent, root, request } = await serveTree();
    const refusal = async (query: Record<string, string>) =>
      codeOf(await request(`/paths?${new URLSearchParams({ kind: "file", ...query }).toString()}`));
    expect(await refusal({ cwd: join(parent, "secret") })).toBe("cwd_not_allowed");
    expect(await refusal({ cwd: join(root, "way-out") })).toBe("cwd_not_allowed");
    expect(await refusal({ cwd: join(root, "none") })).toBe("invalid_request");
    expect(await refusal({ session_id: "none" })).toBe("session_not_found");
    expect(await refusal({ kind: "socket" })).toBe("invalid_request");
    expect(await refusal({ limit: "0" })).toBe("invalid_request");
  });

  test("has fifty paths by default, and at most two hundred", async () => {
    const { root, pathsFor, request } = await serveTree();
    const many = join(root, "many");
    const names = Array.from({ length: 60 }, (_, index) => `dir-${index}`);
    await Promise.all(names.map((name) => mkdir(join(many, name), { recursive: true })));
    for (const query of [{ prefix: `${many}/` }, { kind: "file", cwd: many }]) {
      expect(await pathsFor(query)).toHaveLength(50);
      expect(await pathsFor({ ...query, limit: "200" })).toHaveLength(60);
    }
    expect(await codeOf(await request("/paths?limit=201"))).toBe("invalid_request");
  });

  test("is not for strangers", async () => {
    const { url } = await serveTree();
    expect((await fetch(`${url}/paths`)).status).toBe(401);
  });
});
