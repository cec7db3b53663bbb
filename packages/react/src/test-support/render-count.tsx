import { createClient } from "@turnwire/client";
import { textOf, type Message } from "@turnwire/protocol";
import { memo, type ReactNode } from "react";
import { describe, expect, test } from "vitest";
import { useMessage, useMessageIds, useMessages } from "../index.ts";
import { eventually, openPage, type Page } from "./page.tsx";
import { fetchLog, logOf, ready, turnOf } from "./scripted-log.ts";

/** Renders of each message, and of the list around them. */
interface Renders {
  list: number;
  readonly messages: Map<string, number>;
}

function counted(renders: Renders, id: string): void {
  renders.messages.set(id, (renders.messages.get(id) ?? 0) + 1);
}

/** A list that knows only ids: each item follows its own message. */
function createIdList(renders: Renders) {
  const Item = memo(function Item({ id }: { readonly id: string }): ReactNode {
    const message = useMessage(id);
    counted(renders, id);
    return <li>{message && textOf(message)}</li>;
  });
  return function IdList(): ReactNode {
    renders.list += 1;
    return useMessageIds().map((id) => <Item key={id} id={id} />);
  };
}

/** A list of messages whose items are memoized by the message they are given. */
function createMessageList(renders: Renders) {
  const Item = memo(function Item({ message }: { readonly message: Message }): ReactNode {
    counted(renders, message.id);
    return <li>{textOf(message)}</li>;
  });
  return function MessageList(): ReactNode {
    renders.list += 1;
    return useMessages().map((message) => <Item key={message.id} message={message} />);
  };
}

/** Ids change only with a new message; the list of messages changes with every delta, so it is shorter here. */
const lists = [
  { hook: "useMessage", createList: createIdList, turns: 200, mostOfList: 20 },
  { hook: "useMessages", createList: createMessageList, turns: 20, mostOfList: Infinity },
];

/** Counts renders while an answer of so many deltas arrives. */
export function testRenderCounts(deltaCount: number): void {
  describe.each(lists)(
    "a long conversation shown with $hook",
    ({ createList, turns, mostOfList }) => {
      test("takes many deltas, one by one, without rendering a finished message again", async () => {
        const past = Array.from({ length: turns }, (_, turn) =>
          turnOf(`t${turn}`, ["Yes, ", "it is."]),
        );
        const deltas = Array.from({ length: deltaCount }, (_, index) => `${index + 1} `);
        const history = [ready, ...past.flat()];
        const log = logOf([...history, ...turnOf("last", deltas)]);
        const client = createClient({
          url: "http://log.test",
          fetch: fetchLog(log, history.length),
        });
        const renders: Renders = { list: 0, messages: new Map() };
        const List = createList(renders);
        const page = await openPage(<List />, { client, sessionId: "scripted" });
        await settled(page, 2 * (turns + 1));
        await eventually(() => expect(lastItem(page)).toContain(` ${deltaCount} `));

        const answer = [...renders.messages.keys()].at(-1) ?? "";
        expect(renders.messages.size).toBe(2 * (turns + 1));
        const finished = [...renders.messages].filter(([id]) => id !== answer);
        expect(finished.filter(([, count]) => count > inStrictMode)).toEqual([]);
        expect(renders.messages.get(answer)).toBeGreaterThan(deltaCount / 2);
        expect(renders.list).toBeLessThan(mostOfList);
      });
    },
  );

  test("a flood from a real agent leaves finished messages alone", async () => {
    const renders: Renders = { list: 0, messages: new Map() };
    const List = createIdList(renders);
    const page = await openPage(<List />);
    for (let turn = 0; turn < 20; turn += 1) {
      await page.client.sessions.message(page.sessionId, { message: "/thinking" });
    }
    await settled(page, 40);
    await eventually(() => expect(page.container.querySelectorAll("li")).toHaveLength(40));
    const before = [...renders.messages];

    await page.client.sessions.message(page.sessionId, { message: `/flood ${deltaCount}` });
    await settled(page, 42);
    await eventually(() => expect(lastItem(page)).toContain(` ${deltaCount} `));
    expect(before.map(([id]) => [id, renders.messages.get(id)])).toEqual(before);
  });
}

/** Strict mode renders a new component twice. */
const inStrictMode = 2;

function lastItem({ container }: Page): string {
  return [...container.querySelectorAll("li")].at(-1)?.textContent ?? "";
}

/** Waits without looking at the page, which would cost more than showing it. */
async function settled({ client, sessionId }: Page, messages: number): Promise<void> {
  const shared = client.shareSession(sessionId);
  try {
    await shared.session.waitFor(
      ({ session: { turn, queue, messages: list } }) =>
        turn === null && queue.length === 0 && list.length === messages,
    );
  } finally {
    shared.release();
  }
}
