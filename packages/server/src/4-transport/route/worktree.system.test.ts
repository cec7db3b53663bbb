import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  DeletedSession,
  SessionInfo,
  WorktreeInfo,
  WorktreeList,
  WorktreeRemoval,
} from "@turnwire/protocol";
import { expect, test } from "vitest";
import { openLab } from "../../test-support/worktree-lab.ts";
import { codeOf, startServer } from "../test-support/running-server.ts";

async function open() {
  const lab = await openLab();
  const server = await startServer({
    hostOptions: {
      roots: [join(lab.place, "code")],
      worktrees: { directory: lab.directory },
    },
  });
  const create = async (json: object = {}) => {
    const answer = await server.request("/sessions", {
      json: { cwd: lab.repository, worktree: true, ...json },
    });
    expect(answer.status).toBe(201);
    const info = SessionInfo.parse(await answer.json());
    if (!info.worktree) throw new Error("The session has no worktree.");
    return { id: info.session_id, worktree: info.worktree, cwd: info.cwd ?? "" };
  };
  return { ...lab, ...server, create };
}

test("a worktree is made, shown and removed over HTTP", async () => {
  const { request, create, repository } = await open();
  const { id, worktree } = await create({ worktree: { branch: "feature" } });
  expect(worktree).toMatchObject({ branch: "feature", base: "main", repository });
  const shown = await request(`/sessions/${id}/worktree`);
  expect(WorktreeInfo.parse(await shown.json())).toMatchObject({
    branch: "feature",
    status: "in_use",
    contents: { is_present: true, uncommitted: 0, untracked: 0, unmerged: 0, keep_reasons: [] },
  });
  await writeFile(join(worktree.path, "new.txt"), "");
  const gone = await request(`/sessions/${id}`, { method: "DELETE" });
  expect(gone.status).toBe(200);
  expect(DeletedSession.parse(await gone.json()).worktree).toMatchObject({
    is_removed: false,
    keep_reasons: ["untracked"],
  });
  const [kept] = WorktreeList.parse(await (await request("/worktrees")).json()).worktrees;
  expect(kept).toMatchObject({ path: worktree.path, status: "kept" });
  const removed = await request(`/worktrees/${kept?.id}?discard=true`, { method: "DELETE" });
  expect(WorktreeRemoval.parse(await removed.json())).toMatchObject({ is_removed: true });
  expect(existsSync(worktree.path)).toBe(false);
  const again = await request(`/worktrees/${kept?.id}`, { method: "DELETE" });
  expect(again.status).toBe(404);
});

test("a session without a worktree has none to show, and its deletion answers as before", async () => {
  const { request, repository } = await open();
  const made = await request("/sessions", { json: { cwd: repository, session_id: "plain" } });
  expect(made.status).toBe(201);
  expect(await codeOf(await request("/sessions/plain/worktree"))).toBe("not_found");
  expect((await request("/sessions/plain", { method: "DELETE" })).status).toBe(204);
});

test("what is wrong with a wish is refused before anything is made", async () => {
  const { request, repository, traces } = await open();
  const before = await traces();
  for (const worktree of [false, {}, { branch: "" }, { brnch: "x" }, "feature", { base: 5 }]) {
    const answer = await request("/sessions", {
      json: { cwd: repository, worktree, session_id: "x", title: 5 },
    });
    expect(answer.status).toBe(400);
  }
  const unknown = await request("/sessions", {
    json: { cwd: repository, worktree: { base: "x" } },
  });
  expect(unknown.status).toBe(409);
  expect(await codeOf(unknown)).toBe("worktree_failed");
  const choice = await request("/sessions/x?worktree=burn", { method: "DELETE" });
  expect(choice.status).toBe(400);
  expect(await traces()).toEqual(before);
});

test("files are found in the worktree of a session, which is in no project itself", async () => {
  const { request, create } = await open();
  const { id, cwd } = await create();
  await writeFile(join(cwd, "only-here.txt"), "");
  const found = await request(`/paths?kind=file&session_id=${id}&prefix=only-here`);
  expect(found.status).toBe(200);
  expect(await found.text()).toContain("only-here.txt");
});
