import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@turnwire/base";
import { DirectoryList, Project, ProjectList, type SessionInfo } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { createProjectFile } from "@turnwire/workspace";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { openSocket } from "../test-support/socket-client.ts";
import { codeOf, type RunningServer, startServer } from "../test-support/running-server.ts";

/** A server without roots, as a person runs it, whose home has a project and another directory. */
async function serveHome(
  roots: (home: string) => readonly string[] = () => [],
  clock: Clock = systemClock,
) {
  const home = await realpath(await mkdtemp(join(tmpdir(), "turnwire-home-")));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const app = join(home, "app");
  await mkdir(join(app, "src"), { recursive: true });
  await mkdir(join(home, "other"));
  const dataDirectory = join(home, ".turnwire");
  const server = await startServer({
    hostOptions: {
      clock,
      roots: roots(home),
      projects: { store: createProjectFile(dataDirectory), dataDirectory, home },
    },
  });
  return { ...server, home, app };
}

async function projectsOf({ request }: RunningServer): Promise<ProjectList> {
  return ProjectList.parse(await (await request("/projects")).json());
}

async function add({ request }: RunningServer, path: string): Promise<Project> {
  return Project.parse(await (await request("/projects", { json: { path } })).json());
}

describe("projects over HTTP", () => {
  test("are added with 201, found again with 200, listed, and removed with 204", async () => {
    const server = await serveHome();
    const { request, app, home } = server;
    expect(await projectsOf(server)).toEqual({ projects: [], can_add: true, home });
    const added = await request("/projects", { json: { path: "~/app" } });
    expect(added.status).toBe(201);
    const project = Project.parse(await added.json());
    expect(project).toMatchObject({ path: app, display_path: "~/app", is_fixed: false });
    expect((await request("/projects", { json: { path: app } })).status).toBe(200);
    expect((await projectsOf(server)).projects).toEqual([project]);
    const removed = await request(`/projects/${project.id}`, { method: "DELETE" });
    expect(removed.status).toBe(204);
    expect(await codeOf(await request(`/projects/${project.id}`, { method: "DELETE" }))).toBe(
      "not_found",
    );
    expect((await projectsOf(server)).projects).toEqual([]);
  });

  test("refuse a text that is not a path", async () => {
    const { request } = await serveHome();
    const code = async (json: unknown) => codeOf(await request("/projects", { json }));
    expect(await code({})).toBe("invalid_request");
    expect(await code({ path: "" })).toBe("invalid_request");
    expect(await code({ path: 7 })).toBe("invalid_request");
    expect(await code({ path: "relative" })).toBe("invalid_request");
    expect(await code({ path: "a".repeat(5000) })).toBe("invalid_request");
    expect(await code({ path: "~/missing" })).toBe("not_found");
  });

  test("have what git knows", async () => {
    const server = await serveHome();
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", server.app]);
    await add(server, server.app);
    await expect
      .poll(async () => (await projectsOf(server)).projects[0]?.git)
      .toEqual({ branch: "main", is_dirty: false });
  });

  test("reach those who watch: added, removed, and when an agent's turn has changed what git knows", async () => {
    const clock = new ManualClock();
    const server = await serveHome(() => [], clock);
    const { app } = server;
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", app]);
    const watcher = await openSocket(`${server.url}/watch/ws`);
    const notices = () =>
      watcher.messages.filter((message) => typeOf(message) === "projects_changed").length;
    const project = await add(server, app);
    await watcher.until(() => notices() === 1);
    await expect
      .poll(async () => (await projectsOf(server)).projects[0]?.git?.is_dirty)
      .toBe(false);
    const before = notices();
    const id = await server.createSession({ cwd: app });
    await writeFile(join(app, "new.txt"), "");
    await server.request(`/sessions/${id}/message`, { json: { message: "hello" } });
    // Git is asked at most once per some seconds.
    const noticesLater = async () => {
      await clock.advance(1_000);
      return notices();
    };
    await expect.poll(noticesLater).toBeGreaterThan(before);
    expect((await projectsOf(server)).projects[0]?.git?.is_dirty).toBe(true);
    const then = notices();
    await server.request(`/projects/${project.id}`, { method: "DELETE" });
    await watcher.until(() => notices() > then);
  });
});

describe("a session", () => {
  test("is created in a project, and elsewhere refused with the next step", async () => {
    const server = await serveHome();
    const { request, app, home } = server;
    const refused = await request("/sessions", { json: { cwd: app } });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      error: { code: "cwd_not_allowed", details: { can_add: true, path: app } },
    });
    expect(await codeOf(await request("/sessions", { json: {} }))).toBe("cwd_not_allowed");
    await add(server, app);
    const created = await request("/sessions", { json: { cwd: join(app, "src") } });
    expect(created.status).toBe(201);
    expect(((await created.json()) as SessionInfo).cwd).toBe(join(app, "src"));
    const other = await request("/sessions", { json: { cwd: join(home, "other") } });
    expect(await codeOf(other)).toBe("cwd_not_allowed");
  });

  test("of a removed project stays, runs turns and can be forked; a new one is refused", async () => {
    const server = await serveHome();
    const { request, app } = server;
    const { id: projectId } = await add(server, app);
    const id = await server.createSession({ cwd: app });
    await request(`/projects/${projectId}`, { method: "DELETE" });
    const session = await server.session(id);
    await session.hibernate();
    await request(`/sessions/${id}/message`, { json: { message: "hello" } });
    await expect.poll(() => session.control.last_turn_id).toBeDefined();
    await expect.poll(() => session.info().activity).toBe("idle");
    expect(session.info().cwd).toBe(app);
    const fork = await request(`/sessions/${id}/fork`, { json: {} });
    expect(fork.status).toBe(201);
    expect(await codeOf(await request("/sessions", { json: { cwd: app } }))).toBe(
      "cwd_not_allowed",
    );
  });
});

describe("what only admins may do", () => {
  const guest = { headers: { authorization: "Bearer guest" } };

  async function serveBoth(roots: readonly string[] = []) {
    const home = await realpath(await mkdtemp(join(tmpdir(), "turnwire-home-")));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    await mkdir(join(home, "app"));
    const store = createProjectFile(join(home, ".turnwire"));
    const server = await startServer({
      auth: {
        type: "authorize",
        authorize: async ({ bearer }) =>
          bearer === "guest" ? { id: "guest", isAdmin: false } : { id: "owner", isAdmin: true },
      },
      hostOptions: { roots: roots.map((root) => join(home, root)), projects: { store, home } },
    });
    return { ...server, home };
  }

  test("is to add and remove projects, to look into directories, and to work outside the roots", async () => {
    const { request, home } = await serveBoth();
    const added = await request("/projects", { json: { path: join(home, "app") } });
    const { id } = Project.parse(await added.json());
    const asGuest = (path: string, init = {}) => request(path, { ...guest, ...init });
    expect(await codeOf(await asGuest("/projects", { json: { path: home } }))).toBe("forbidden");
    expect(await codeOf(await asGuest(`/projects/${id}`, { method: "DELETE" }))).toBe("forbidden");
    expect(await codeOf(await asGuest("/directories?path=/"))).toBe("forbidden");
    const create = await asGuest("/sessions", { json: { cwd: join(home, "app") } });
    expect(await codeOf(create)).toBe("cwd_not_allowed");
    expect(await (await asGuest("/projects")).json()).toEqual({ projects: [], can_add: false });
    const paths = await asGuest(`/paths?prefix=${encodeURIComponent(`${home}/`)}`);
    expect(await paths.json()).toEqual({ paths: [] });
  });

  test("is not to work in a root", async () => {
    const { request, home } = await serveBoth(["app"]);
    const create = await request("/sessions", { ...guest, json: { cwd: join(home, "app") } });
    expect(create.status).toBe(201);
    expect(await (await request("/projects", guest)).json()).toMatchObject({
      projects: [{ path: join(home, "app"), is_fixed: true }],
      can_add: false,
    });
  });
});

describe("the picker over HTTP", () => {
  test("begins at home and goes where it is asked to", async () => {
    const { request, home, app } = await serveHome();
    const listed = DirectoryList.parse(await (await request("/directories")).json());
    expect(listed.path).toBe(home);
    expect(listed.entries.map(({ name }) => name)).toEqual(["app", "other"]);
    const inner = await request(`/directories?path=${encodeURIComponent(app)}`);
    expect(DirectoryList.parse(await inner.json())).toMatchObject({
      parent: home,
      entries: [{ name: "src" }],
    });
    expect(await codeOf(await request("/directories?path=relative"))).toBe("invalid_request");
    expect(await codeOf(await request("/directories?path="))).toBe("invalid_request");
    expect(await codeOf(await request("/directories?path=%00"))).toBe("invalid_request");
  });

  test("stays inside the roots", async () => {
    const { request, app } = await serveHome((home) => [join(home, "app")]);
    const listed = DirectoryList.parse(await (await request("/directories")).json());
    expect(listed).toMatchObject({ path: app, entries: [{ name: "src" }] });
    expect(await codeOf(await request("/directories?path=/"))).toBe("cwd_not_allowed");
    expect(await codeOf(await request("/directories?path=~"))).toBe("cwd_not_allowed");
  });
});

function typeOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "type" in message
    ? message.type
    : undefined;
}
