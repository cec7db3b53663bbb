import * as z from "zod";
import type { RpcClient } from "../protocol/rpc.ts";

/** A turn of a thread; those that a person began carry our own id. */
interface IndexedTurn {
  readonly id: string;
  readonly ourId: string | undefined;
  /** A review, which takes no id of ours. */
  readonly isReview: boolean;
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
  const turns = new Map<string, IndexedTurn>();
  // In 0.169 a review is two turns: one around it, and one that can be reverted.
  const reviews = new Set<string>();
  let isReviewNext = false;
  let cursor: unknown = null;
  do {
    const params = { threadId, cursor, limit: 200, sortDirection: "asc" };
    const page = Page.parse(await rpc.call("thread/items/list", params));
    for (const { turnId, item } of page.data) {
      if (item.type === "enteredReviewMode") {
        reviews.add(turnId);
        isReviewNext = true;
      }
      if (reviews.has(turnId)) continue;
      const ourId = item.type === "userMessage" ? (item.clientId ?? undefined) : undefined;
      const known = turns.get(turnId);
      turns.set(turnId, {
        id: turnId,
        ourId: known?.ourId ?? ourId,
        isReview: known?.isReview ?? isReviewNext,
      });
      isReviewNext = false;
    }
    cursor = page.nextCursor;
  } while (cursor !== null && cursor !== undefined);
  return [...turns.values()];
}

/**
 * Codex's id of the first turn that is one of ours from the given one on: one that failed early is
 * none of Codex's. The turns of a thread that was imported have Codex's ids in our log too. A turn of
 * ours that Codex has by no id is the review that comes next in its record, if one does.
 */
export function firstTurnFrom(
  index: readonly IndexedTurn[],
  { turnIds, turnIndex }: { turnIds: readonly string[]; turnIndex: number },
): string | undefined {
  let next = 0;
  for (const [position, wanted] of turnIds.entries()) {
    const named = index.findIndex(({ id, ourId }) => id === wanted || ourId === wanted);
    const found = named < 0 ? reviewFrom(index, next) : named;
    if (found < 0) continue;
    if (position >= turnIndex) return index[found]?.id;
    next = found + 1;
  }
  return undefined;
}

/** The review that comes before the next turn with an id of ours; -1: there is none. */
function reviewFrom(index: readonly IndexedTurn[], from: number): number {
  const found = index.findIndex(
    ({ ourId, isReview }, place) => place >= from && (isReview || ourId !== undefined),
  );
  return index[found]?.isReview === true ? found : -1;
}
