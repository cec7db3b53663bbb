import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";
import { useServedMachine } from "../test-support/served-machine.ts";

interface Line {
  readonly id: string;
  readonly path: string;
}

describe("turnwire projects, with a server", () => {
  const served = useServedMachine();

  test("lists, adds and removes through it", async () => {
    const { machine } = served;
    await mkdir(join(machine.home, "shop"));
    expect(await served.output("projects", "add", "~/shop")).toBe("Added ~/shop.\n");
    const client = await machine.client();
    const known = await client.projects.list();
    expect(known.projects.map(({ path }) => path)).toEqual([
      join(machine.home, "shop"),
      machine.cwd,
    ]);
    expect(await served.output("projects")).toMatch(/~\/shop[^]*~\/work/);
    const [shop] = (await served.json("projects", "--json")) as Line[];
    expect(await served.output("projects", "remove", shop?.id.slice(0, 8) ?? "")).toMatch(
      /^Removed ~\/shop\. Its files and sessions stay\./,
    );
    await served.output("projects", "remove", ".");
    expect(await served.output("projects")).toMatch(/^There are no projects yet/);
    await served.output("projects", "add");
    expect((await client.projects.list()).projects[0]?.path).toBe(machine.cwd);
  });

  test.each([
    [["projects", "ad"], 2, "Did you mean add?"],
    [["projects", "remove"], 2, "Which project?"],
    [["projects", "remove", "nowhere"], 2, "There is no project"],
    [["projects", "add", "missing"], 1, "There is no directory"],
    [["projects", "add", "/"], 1, "The whole file system cannot be a project"],
  ])("answers %j with %i and a reason", async (args, code, reason) => {
    const run = await served.machine.run(args);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(reason);
  });

  test("a session that is made here adds the directory, so that the agent works here", async () => {
    const { machine } = served;
    await served.output("projects", "remove", ".");
    const [session] = (await served.json("sessions", "new", "--json")) as { cwd: string }[];
    expect(session?.cwd).toBe(machine.cwd);
    expect(await served.output("projects")).toContain("~/work");
  });
});

describe("turnwire projects, without a server", () => {
  let machine: TestMachine;
  beforeEach(async () => {
    machine = await TestMachine.create();
  });
  afterEach(() => machine.remove());

  test("keeps them for the next server", async () => {
    expect((await machine.run(["projects"])).stdout).toMatch(/^There are no projects yet/);
    await mkdir(join(machine.home, "shop"));
    expect((await machine.run(["projects", "add", "../shop"])).stdout).toBe("Added ~/shop.\n");
    const { stop } = await machine.serve();
    const { projects } = await (await machine.client()).projects.list();
    await stop();
    expect(projects.map(({ path }) => path)).toEqual([machine.cwd, join(machine.home, "shop")]);
    expect((await machine.run(["projects", "remove", "~/shop"])).code).toBe(0);
    expect((await machine.run(["projects", "--json"])).stdout).toContain(machine.cwd);
  });

  test("keeps all that several commands add at the same time", async () => {
    const names = ["a", "b", "c", "d", "e"];
    await Promise.all(names.map((name) => mkdir(join(machine.home, name))));
    const runs = await Promise.all(
      names.map((name) => machine.run(["projects", "add", `~/${name}`])),
    );
    expect(runs.map(({ stderr }) => stderr)).toEqual(["", "", "", "", ""]);
    const { stdout } = await machine.run(["projects", "--json"]);
    const paths = stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Line).path);
    expect(paths.toSorted()).toEqual(names.map((name) => join(machine.home, name)));
  });

  test("reports a damaged list, keeps it, and begins a new one", async () => {
    await mkdir(machine.dataDirectory);
    await writeFile(join(machine.dataDirectory, "projects.json"), "nonsense");
    const run = await machine.run(["projects", "add"]);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/was damaged\. It was kept as .*projects\.json\.damaged-/);
  });

  test("warns of the home directory", async () => {
    const { stdout } = await machine.run(["projects", "add", "~"]);
    expect(stdout).toBe(
      "Added ~.\nThis is your home directory: agents can reach everything in it.\n",
    );
  });
});
