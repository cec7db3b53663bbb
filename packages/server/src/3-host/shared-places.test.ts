import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore } from "@turnwire/log";
import { expect, describe, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { claudeConfiguration } from "../../../runtime-claude/src/sdk/configuration.ts";
import { Projects, TrustedDirectories } from "@turnwire/workspace";
import { sharingOf } from "@turnwire/log/list";
import { createSharedPlaces } from "./shared-places.ts";

const admin = { id: "ann", isAdmin: true };

/** A store of several hosts, and directories that all of them see. */
function openShared() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-places-")));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const store = createMemoryStore({ isShared: true });
  // As with a database, others may write between a read and what comes of it.
  const readValue = store.values.readValue.bind(store.values);
  store.values.readValue = async (key) => {
    const value = await readValue(key);
    await new Promise(setImmediate);
    return value;
  };
  const makeDirectory = (name: string): string => {
    const path = join(directory, name);
    mkdirSync(join(path, ".git"), { recursive: true });
    writeFileSync(join(path, "CLAUDE.md"), "Be kind.");
    return path;
  };
  return { store, sharing: sharingOf(store), makeDirectory };
}

interface HostOptions {
  readonly storage?: string;
  readonly hearsHints?: boolean;
}

function openHost(
  { store }: Pick<ReturnType<typeof openShared>, "store">,
  { storage = "nas", hearsHints = true }: HostOptions = {},
) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const changed: string[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const { isShared, values } = store;
  const heard = hearsHints ? store : { isShared, values, watch: () => () => undefined };
  const places = createSharedPlaces(heard, { storage, clock, onError });
  const projects = new Projects({
    roots: [],
    store: places.projects,
    clock,
    onChanged: () => changed.push("projects"),
    onError,
  });
  const trust = new TrustedDirectories({
    store: places.trust,
    runtimes: [{ name: "claude", configuration: claudeConfiguration({}) }],
    clock,
    onChanged: (path) => changed.push(path),
    onError,
  });
  onTestFinished(() => {
    projects.close();
    trust.close();
  });
  const paths = async () => (await projects.list(admin)).projects.map(({ path }) => path);
  const statusOf = async (path: string) => (await trust.get(path)).status;
  const trustNow = async (path: string) => {
    const { digest } = await trust.get(path);
    expect(await trust.set(path, digest)).toMatchObject({ ok: true });
  };
  return { projects, trust, clock, errors, changed, paths, statusOf, trustNow };
}

describe("projects of hosts that share a store", () => {
  test("are projects of all of them from the moment they are added, until they are removed", async () => {
    const shared = openShared();
    const app = shared.makeDirectory("app");
    const [a, b] = [openHost(shared), openHost(shared)];
    expect((await b.projects.admit(app, admin)).ok).toBe(false);
    const added = await a.projects.add(app);
    if (!added.ok) throw new Error(added.error.message);
    expect((await b.projects.admit(app, admin)).ok).toBe(true);
    await expect.poll(() => b.changed).toContain("projects");
    expect((await b.projects.remove(added.value.project.id)).ok).toBe(true);
    expect(await a.paths()).toEqual([]);
  });

  test("are all kept when hosts add them at the same instant", async () => {
    const shared = openShared();
    const hosts = [openHost(shared), openHost(shared), openHost(shared)];
    const added = Array.from({ length: 9 }, (_, index) => shared.makeDirectory(`app-${index}`));
    await Promise.all(
      added.map(async (path, index) => {
        await hosts[index % hosts.length]?.projects.add(path);
      }),
    );
    for (const host of hosts) expect((await host.paths()).toSorted()).toEqual(added);
  });

  test("are known only to hosts that see the same directories", async () => {
    const shared = openShared();
    const app = shared.makeDirectory("app");
    await openHost(shared).projects.add(app);
    expect(await openHost(shared, { storage: "another" }).paths()).toEqual([]);
  });
});

describe("trust of hosts that share a store", () => {
  test("holds on all of them from the moment it is given until it is taken away", async () => {
    const shared = openShared();
    const app = shared.makeDirectory("app");
    const [a, b] = [openHost(shared), openHost(shared)];
    await a.trustNow(app);
    expect(await b.statusOf(app)).toBe("trusted");
    await expect.poll(() => b.changed).toEqual([app]);
    expect(await b.trust.remove(app)).toBe(true);
    expect(await a.statusOf(app)).toBe("untrusted");
    await expect.poll(() => a.changed).toEqual([app, app]);
  });

  test("that another host has taken away is noticed also where no hint comes", async () => {
    const shared = openShared();
    const app = shared.makeDirectory("app");
    const [a, b] = [openHost(shared), openHost(shared, { hearsHints: false })];
    await b.trustNow(app);
    await a.trust.remove(app);
    expect(b.changed).toEqual([app]);
    await b.clock.advance(5_000);
    await expect.poll(() => b.changed).toEqual([app, app]);
    await b.clock.advance(5_000);
    expect(b.changed).toEqual([app, app]);
  });

  test("does not hold where the store's list makes no sense", async () => {
    const shared = openShared();
    const app = shared.makeDirectory("app");
    await openHost(shared).trustNow(app);
    await shared.sharing.values.writeValue("trust/nas", "{half");
    const host = openHost(shared);
    expect(await host.statusOf(app)).toBe("untrusted");
    expect(host.errors).toMatchObject([{ message: expect.stringContaining("damaged") }]);
    await host.trustNow(app);
    expect(await host.statusOf(app)).toBe("trusted");
  });
});
