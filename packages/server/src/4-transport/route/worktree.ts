import {
  RemoveWorktreeQuery,
  validate,
  WorktreeInfo,
  WorktreeList,
  WorktreeRemoval,
} from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { json, refused, noBody, sessionRoute, type Route } from "@turnwire/wire";

/** The git worktrees that were made for sessions. */
export function worktreeRoutes(host: SessionHost): Route[] {
  return [
    {
      method: "GET",
      path: "/worktrees",
      summary: "List the git worktrees that were made for sessions",
      access: "read",
      answers: {
        200: { description: "One's own; for admins all, also those kept", schema: WorktreeList },
      },
      handle: async (call) => json(200, await host.worktrees.list(call.principal)),
    },
    {
      method: "DELETE",
      path: "/worktrees/{worktree_id}",
      summary: "Remove a worktree that no session works in, as far as nothing is lost",
      access: "admin",
      query: RemoveWorktreeQuery,
      answers: { 200: { description: "What was removed and kept", schema: WorktreeRemoval } },
      async handle(call) {
        const query = validate(RemoveWorktreeQuery, Object.fromEntries(call.query));
        if (!query.ok) return refused(query.error);
        const id = call.params["worktree_id"] ?? "";
        const isDiscarding = query.value.discard === "true";
        const removed = await host.worktrees.remove(id, isDiscarding);
        return removed.ok ? json(200, removed.value) : refused(removed.error);
      },
    },
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/worktree",
      summary: "Show a session's worktree, and what it holds that would be lost without it",
      body: noBody,
      answers: { 200: { description: "The worktree", schema: WorktreeInfo } },
      async handle(session) {
        const info = await host.worktrees.describe(session.info().worktree);
        return info.ok ? json(200, info.value) : refused(info.error);
      },
    }),
  ];
}
