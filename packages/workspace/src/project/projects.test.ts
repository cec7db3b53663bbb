import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { limits, type Result } from "@turnwire/protocol";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { createProjectFile, type ProjectRecord, type ProjectStore } from "./project-store.ts";
import { Projects, type ProjectsOptions } from "./projects.ts";

const guest = { id: "guest", isAdmin: false };

let place: string;
let home: string;
let data: string;

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "turnwire-projects-")));
  home = join(place, "home");
  data = join(home, ".turnwire");
  for (const path of [data, join(home, "app", "sub"), join(place, "elsewhere")]) {
    await mkdir(path, { recursive: true });
  }
  return () => rm(place, { recursive: true, force: true });
});

function open(options: Partial<ProjectsOptions> = {}) {
  const errors: unknown[] = [];
  const changes: string[] = [];
  const projects = new Projects({
    roots: [],
    store: createProjectFile(data, (error) => errors.push(error)),
    dataDirectory: data,
    home,
    clock: new ManualClock(),
    gitOf: async () => undefined,
    onChanged: () => changes.push("changed"),
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => projects.close());
  const paths = async () => (await projects.list(admin)).projects.map(({ path }) => path);
  const addAll = async (...added: string[]) => {
    for (const path of added) valueOf(await projects.add(path));
  };
  return { projects, errors, changes, paths, addAll };
}

function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(result.error.message);
}

function codeOf(result: Result<unknown>): string {
  return result.ok ? "ok" : result.error.code;
}

describe("adding a project", () => {
  test("stores the real path, so that the next server has it", async () => {
    await symlink(join(home, "app"), join(place, "link"));
    const first = open();
    const added = valueOf(await first.projects.add(join(place, "link", ".", "sub", "..")));
    expect(added).toEqual({
      isNew: true,
      project: {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        path: join(home, "app"),
        name: "app",
        display_path: "~/app",
        is_available: true,
        is_fixed: false,
        trust: "none",
        added_at: "2026-01-01T00:00:00.000Z",
      },
    });
    expect((await open().projects.list(admin)).projects).toEqual([added.project]);
    expect(first.changes).toEqual(["changed"]);
  });

  test("takes ~ for the home directory", async () => {
    const { projects } = open();
    expect(valueOf(await projects.add("~/app")).project.path).toBe(join(home, "app"));
  });

  test("answers with the project that a directory is already, and tells no one", async () => {
    const { projects, changes, addAll } = open();
    await addAll("~/app");
    expect(valueOf(await projects.add(join(home, "app"))).isNew).toBe(false);
    expect(changes).toEqual(["changed"]);
  });

  test("keeps all that are added at the same time, once each", async () => {
    const { projects, paths } = open();
    const names = Array.from({ length: 20 }, (_, index) => join(place, `p${index}`));
    await Promise.all(names.map((name) => mkdir(name)));
    await Promise.all([...names, ...names].map((name) => projects.add(name)));
    expect((await paths()).toSorted()).toEqual(names.toSorted());
    expect((await open().paths()).toSorted()).toEqual(names.toSorted());
  });

  test("allows one inside of another", async () => {
    const { addAll, paths } = open();
    await addAll("~/app", "~/app/sub");
    expect(await paths()).toEqual([join(home, "app", "sub"), join(home, "app")]);
  });

  test("refuses a path that is not a directory to work in, with the reason", async () => {
    await writeFile(join(home, "file"), "");
    await symlink(join(place, "loop"), join(place, "loop"));
    const { projects } = open();
    const refusal = async (path: string) => {
      const added = await projects.add(path);
      return added.ok ? "added" : `${added.error.code}: ${added.error.message}`;
    };
    expect(await refusal("app")).toMatch(/^invalid_request: .*absolute/);
    expect(await refusal(`${home}\0`)).toMatch(/^invalid_request: .*absolute/);
    expect(await refusal("~/missing")).toBe(`not_found: There is no directory ${home}/missing.`);
    expect(await refusal("~/file")).toBe(
      `invalid_request: ${home}/file is a file: choose a directory.`,
    );
    expect(await refusal("~/file/x")).toMatch(/^invalid_request: .*leads through a file/);
    expect(await refusal(join(place, "loop"))).toMatch(/^invalid_request: .*leads to itself/);
    expect(await refusal("/")).toMatch(/^invalid_request: The whole file system/);
    expect(await refusal("~/.turnwire")).toMatch(/^invalid_request: .*belongs to Turnwire itself/);
    await mkdir(join(data, "codex"));
    expect(await refusal("~/.turnwire/codex")).toMatch(/^invalid_request: .*Turnwire itself/);
    expect(await refusal(`/${"a".repeat(4000)}`)).toMatch(/^invalid_request: .*ENAMETOOLONG/);
  });

  test("needs the permission to open the directory", async () => {
    const locked = join(home, "locked");
    await mkdir(locked);
    await chmod(locked, 0);
    // Root may open everything.
    const expected = process.getuid?.() === 0 ? "ok" : "forbidden";
    expect(codeOf(await open().projects.add(locked))).toBe(expected);
    await chmod(locked, 0o700);
  });

  test("warns of the home directory and of what contains it", async () => {
    const { projects } = open();
    const warning = async (path: string) => valueOf(await projects.add(path)).project.warning;
    expect(await warning("~")).toMatch(/^This is your home directory/);
    expect(await warning(place)).toMatch(/^Your home directory is inside/);
    expect(await warning("~/app")).toBeUndefined();
  });

  test("has a limit", async () => {
    const records = Array.from({ length: limits.projects }, (_, index) => ({
      path: `/nowhere/${index}`,
      added_at: "2026-01-01T00:00:00.000Z",
    }));
    const { projects } = open({ store: memoryStore(records) });
    expect(await projects.add("~/app")).toMatchObject({
      error: { code: "invalid_request", message: expect.stringContaining("remove one first") },
    });
  });

  test("fails when it cannot be stored, changes nothing, and the next one succeeds", async () => {
    const store = memoryStore();
    let isFull = true;
    const { projects, paths, changes } = open({
      store: {
        load: () => store.load(),
        save: (records) =>
          isFull ? Promise.reject(new Error("disk full")) : store.save(records, []),
      },
    });
    await expect(projects.add("~/app")).rejects.toThrow("disk full");
    expect(await paths()).toEqual([]);
    expect(changes).toEqual([]);
    isFull = false;
    expect(codeOf(await projects.add("~/app"))).toBe("ok");
  });
});

describe("the stored list", () => {
  test.each(["", "{", "[]", '{"projects":[{"path":1}]}', "\0\0\0\0"])(
    "that makes no sense is kept aside and reported, and a new one begins: %j",
    async (text) => {
      await writeFile(join(data, "projects.json"), text);
      const { errors, paths, addAll } = open();
      expect(await paths()).toEqual([]);
      expect(errors.map(String)).toEqual([expect.stringContaining("add the projects again")]);
      await addAll("~/app");
      const kept = (await readdir(data)).find((name) => name.includes("damaged")) ?? "";
      expect(await readFile(join(data, kept), "utf8")).toBe(text);
      expect(await open().paths()).toEqual([join(home, "app")]);
    },
  );

  test("that cannot be read now is an error, is not replaced, and is read later", async () => {
    await mkdir(join(data, "projects.json"));
    const { projects, paths } = open();
    await expect(paths()).rejects.toThrow("EISDIR");
    await expect(projects.add("~/app")).rejects.toThrow("EISDIR");
    await rm(join(data, "projects.json"), { recursive: true });
    expect(await paths()).toEqual([]);
  });

  test("is not followed when it is a link", async () => {
    await writeFile(join(place, "secret"), '{"projects":[]}');
    await symlink(join(place, "secret"), join(data, "projects.json"));
    await expect(open().paths()).rejects.toThrow("ELOOP");
  });
});

describe("a project that is gone", () => {
  test("is listed as not available, with the reason, and is back when it is back", async () => {
    const { projects, addAll } = open();
    await addAll("~/app");
    await rename(join(home, "app"), join(home, "moved"));
    const [gone] = (await projects.list(admin)).projects;
    expect(gone).toMatchObject({
      is_available: false,
      problem: `There is no directory ${home}/app.`,
    });
    await rename(join(home, "moved"), join(home, "app"));
    expect((await projects.list(admin)).projects[0]).toMatchObject({ is_available: true });
  });

  test("is not what a link in its place leads to", async () => {
    const { projects, addAll } = open();
    await addAll("~/app");
    await rm(join(home, "app"), { recursive: true });
    await symlink(join(place, "elsewhere"), join(home, "app"));
    const [replaced] = (await projects.list(admin)).projects;
    expect(replaced).toMatchObject({
      path: join(home, "app"),
      is_available: false,
      problem: `${home}/app now leads to ${place}/elsewhere.`,
    });
  });

  test("can be removed", async () => {
    const { projects, addAll, paths } = open();
    await addAll("~/app");
    const [{ id } = { id: "" }] = (await projects.list(admin)).projects;
    await rm(join(home, "app"), { recursive: true });
    expect(codeOf(await projects.remove(id))).toBe("ok");
    expect(await paths()).toEqual([]);
    expect(codeOf(await projects.remove(id))).toBe("not_found");
  });
});

describe("where a session may work", () => {
  test("is a project of the admin, links followed", async () => {
    await symlink(join(place, "elsewhere"), join(home, "app", "way-out"));
    await mkdir(join(home, "app-evil"));
    await writeFile(join(home, "app", "file"), "");
    const { projects, addAll } = open();
    await addAll("~/app");
    const admit = async (path: string) => codeOf(await projects.admit(path, admin));
    expect(await admit(join(home, "app"))).toBe("ok");
    expect(await admit(join(home, "app", "sub"))).toBe("ok");
    expect(await admit(join(home, "app-evil"))).toBe("cwd_not_allowed");
    expect(await admit(join(home, "app", "..", "app-evil"))).toBe("cwd_not_allowed");
    expect(await admit(join(home, "app", "way-out"))).toBe("cwd_not_allowed");
    expect(await admit(join(home, "app", "missing"))).toBe("invalid_request");
    expect(await admit(join(home, "app", "file"))).toBe("invalid_request");
    expect(await admit("sub")).toBe("invalid_request");
    expect(await admit(`${home}/app\0`)).toBe("invalid_request");
    expect(await admit(`/${"a".repeat(5000)}`)).toBe("invalid_request");
    expect(codeOf(await projects.admit(join(home, "app"), guest))).toBe("cwd_not_allowed");
  });

  test("is refused with the next step: whether it can be added", async () => {
    const outside = join(place, "elsewhere");
    const refusal = { ok: false, error: { code: "cwd_not_allowed" } };
    expect(await open().projects.admit(outside, admin)).toMatchObject({
      ...refusal,
      error: {
        message: expect.stringContaining("turnwire projects add"),
        details: { can_add: true },
      },
    });
    const bound = open({ roots: [join(home, "app")] });
    for (const principal of [admin, guest]) {
      expect(await bound.projects.admit(outside, principal)).toMatchObject({
        ...refusal,
        error: { message: expect.stringContaining("--root"), details: { can_add: false } },
      });
    }
  });

  test("without a directory is the first root, else the start, else the newest project that is there", async () => {
    const other = join(place, "elsewhere");
    const where = async (options: Partial<ProjectsOptions>, principal = admin) => {
      const admitted = await open(options).projects.admit(undefined, principal);
      return admitted.ok ? admitted.value : admitted.error.message;
    };
    expect(await where({})).toMatch(/^There is no project yet/);
    const records = [record(join(place, "gone")), record(other), record(join(home, "app"))];
    const store = memoryStore(records);
    expect(await where({ store })).toBe(other);
    expect(await where({ store, startDirectory: join(home, "app") })).toBe(join(home, "app"));
    expect(await where({ store, roots: [home], startDirectory: other })).toBe(home);
    expect(await where({ store }, guest)).toMatch(/^There is no project yet/);
  });

  test("stays where it was when its project is removed, unless that has become something else", async () => {
    const { projects } = open();
    const app = join(home, "app");
    const { project } = valueOf(await projects.add(app));
    valueOf(await projects.remove(project.id));
    expect(codeOf(await projects.admit(app, admin))).toBe("cwd_not_allowed");
    expect(codeOf(await projects.readmit(app))).toBe("ok");
    await rm(app, { recursive: true });
    expect(codeOf(await projects.readmit(app))).toBe("invalid_request");
    await symlink(join(place, "elsewhere"), app);
    expect(codeOf(await projects.readmit(app))).toBe("cwd_not_allowed");
    await projects.add(join(place, "elsewhere"));
    expect(codeOf(await projects.readmit(app))).toBe("ok");
  });

  test("ends where the roots end, also for a session from before", async () => {
    const { projects } = open({ roots: [join(home, "app")] });
    expect(codeOf(await projects.readmit(join(home, "app", "sub")))).toBe("ok");
    expect(codeOf(await projects.readmit(join(place, "elsewhere")))).toBe("cwd_not_allowed");
  });
});

describe("a server with roots", () => {
  test("has them as projects that cannot be removed, for everybody", async () => {
    await symlink(join(home, "app"), join(place, "link"));
    const { projects } = open({ roots: [join(place, "link"), join(place, "gone")] });
    const list = await projects.list(guest);
    expect(list).toMatchObject({
      can_add: false,
      projects: [
        { path: join(home, "app"), is_fixed: true, is_available: true },
        { path: join(place, "gone"), is_fixed: true, is_available: false },
      ],
    });
    expect(list.home).toBeUndefined();
    for (const { id } of list.projects) expect(codeOf(await projects.remove(id))).toBe("forbidden");
  });

  test("lets admins add inside of them only, and shows nothing else that is stored", async () => {
    const unbound = open();
    await unbound.addAll("~/app/sub", join(place, "elsewhere"));
    const { projects, paths } = open({ roots: [join(home, "app")] });
    expect(await paths()).toEqual([join(home, "app"), join(home, "app", "sub")]);
    expect(codeOf(await projects.add(join(place, "elsewhere")))).toBe("cwd_not_allowed");
    expect(valueOf(await projects.add(join(home, "app")))).toMatchObject({ isNew: false });
    expect((await projects.list(admin)).home).toBe(join(home, "app"));
    expect((await open().paths()).length).toBe(2);
  });

  test("that keeps no projects of its own can add none", async () => {
    const projects = new Projects({
      roots: [home],
      clock: new ManualClock(),
      onChanged: () => undefined,
      onError: () => undefined,
    });
    expect((await projects.list(admin)).can_add).toBe(false);
    expect(codeOf(await projects.add(join(home, "app")))).toBe("forbidden");
  });
});

describe("the directory of the start", () => {
  test("is a project from then on", async () => {
    const start = open({ startDirectory: join(home, "app") });
    expect(await start.paths()).toEqual([join(home, "app")]);
    expect(await open().paths()).toEqual([join(home, "app")]);
  });

  test("is none when it belongs to Turnwire, or is outside the roots", async () => {
    expect(await open({ startDirectory: data }).paths()).toEqual([]);
    const bound = open({ startDirectory: join(place, "elsewhere"), roots: [home] });
    expect(await bound.paths()).toEqual([home]);
  });
});

describe("the picker", () => {
  test("lists directories by name, hidden ones last, links by where they lead", async () => {
    await mkdir(join(home, "Zebra", ".git"), { recursive: true });
    await mkdir(join(home, ".config"));
    await writeFile(join(home, "file"), "");
    await symlink(join(place, "elsewhere"), join(home, "link"));
    await symlink(join(home, "file"), join(home, "file-link"));
    await symlink(join(place, "nowhere"), join(home, "broken"));
    const { projects } = open();
    expect(valueOf(await projects.directories())).toEqual({
      path: home,
      parent: place,
      entries: [
        { name: "app", path: join(home, "app"), is_git: false, is_hidden: false },
        { name: "link", path: join(place, "elsewhere"), is_git: false, is_hidden: false },
        { name: "Zebra", path: join(home, "Zebra"), is_git: true, is_hidden: false },
        { name: ".config", path: join(home, ".config"), is_git: false, is_hidden: true },
        { name: ".turnwire", path: data, is_git: false, is_hidden: true },
      ],
      is_truncated: false,
    });
    expect(valueOf(await projects.directories("/")).parent).toBeUndefined();
    expect(codeOf(await projects.directories("~/file"))).toBe("invalid_request");
    expect(codeOf(await projects.directories("~/none"))).toBe("not_found");
  });

  test("never leaves the roots", async () => {
    const root = join(home, "app");
    await symlink(join(place, "elsewhere"), join(root, "way-out"));
    await symlink(join(root, "sub"), join(root, "way-in"));
    const { projects } = open({ roots: [root] });
    const listed = valueOf(await projects.directories());
    expect(listed.parent).toBeUndefined();
    expect(listed.entries.map(({ name }) => name)).toEqual(["sub", "way-in"]);
    for (const path of [
      place,
      "~",
      "/",
      join(root, ".."),
      join(root, "way-out"),
      "/proc/self/root",
    ]) {
      expect(codeOf(await projects.directories(path))).toBe("cwd_not_allowed");
    }
  });

  test("stops at a number of entries and says so", async () => {
    const many = join(home, "many");
    const names = Array.from({ length: limits.directoryEntries + 1 }, (_, index) => `d${index}`);
    await Promise.all(names.map((name) => mkdir(join(many, name), { recursive: true })));
    const listed = valueOf(await open().projects.directories(many));
    expect(listed.entries).toHaveLength(limits.directoryEntries);
    expect(listed.is_truncated).toBe(true);
  });
});

function record(path: string): ProjectRecord {
  return { path, added_at: "2026-01-01T00:00:00.000Z" };
}

function memoryStore(records: readonly ProjectRecord[] = []): ProjectStore {
  let stored = records;
  return {
    load: async () => stored,
    async save(next) {
      stored = next;
    },
  };
}
