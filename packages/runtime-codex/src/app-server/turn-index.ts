import * as z from "zod";
import type { RpcClient } from "../protocol/rpc.ts";

/** A turn of a thread; those that a person began carry our own id. */
interface IndexedTurn {
  readonly id: string;
  readonly ourId: string | undefined;
}

const Page = z.object({
  data: z.array(
    z.object({
      turnId: z.string(),
      item: z.looseObject({ type: z.string(), clientId: z.string().nullish() }),
    }),
  ),
  nextCursor: z.unknown().optional(),
});

/** All turns of a thread, oldest first. Our ids stand in Codex's own record as those of the user messages. */
export async function readTurnIndex(rpc: RpcClient, threadId: string): Promise<IndexedTurn[]> {
  const turns = new Map<string, string | undefined>();
  let cursor: unknown = null;
  do {
    const params = { threadId, cursor, limit: 200, sortDirection: "asc" };
    const page = Page.parse(await rpc.call("thread/items/list", params));
    for (const { turnId, item } of page.data) {
      const ourId = item.type === "userMessage" ? (item.clientId ?? undefined) : undefined;
      turns.set(turnId, turns.get(turnId) ?? ourId);
    }
    cursor = page.nextCursor;
  } while (cursor !== null && cursor !== undefined);
  return Array.from(turns, ([id, ourId]) => ({ id, ourId }));
}

/**
 * Codex's id of the first turn that is one of ours from the given one on: one that failed early is
 * none of Codex's. The turns of a thread that was imported have Codex's ids in our log too.
 */
export function firstTurnFrom(
  index: readonly IndexedTurn[],
  { turnIds, turnIndex }: { turnIds: readonly string[]; turnIndex: number },
): string | undefined {
  const wanted = new Set(turnIds.slice(turnIndex));
  return index.find(({ id, ourId }) => wanted.has(id) || (ourId !== undefined && wanted.has(ourId)))
    ?.id;
}
