import type { ReactNode } from "react";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { useSharedState } from "./index.ts";
import { fireEvent } from "./test-support/dom.ts";
import { eventually, openPage } from "./test-support/page.tsx";

const Todos = z.object({
  title: z.string(),
  open: z.number(),
  todos: z.array(z.object({ text: z.string(), done: z.boolean() })),
});

function TodoList(): ReactNode {
  const [state, patch] = useSharedState(Todos);
  const finish = (index: number): void =>
    void patch([{ op: "replace", path: `/todos/${index}/done`, value: true }]);
  if (!state) return <p>no list</p>;
  return (
    <>
      <p>
        {state.title}: {state.open} open
      </p>
      {state.todos.map(({ text, done }, index) => (
        <button key={text} disabled={done} onClick={() => finish(index)}>
          {text}
        </button>
      ))}
    </>
  );
}

describe("shared state", () => {
  test("is what the agent wrote, and what the page changes the agent continues with", async () => {
    const page = await openPage(<TodoList />);
    expect(page.getByText("no list")).toBeTruthy();
    await page.client.sessions.message(page.sessionId, { message: "/state" });
    await eventually(() => page.getByText("Today: 2 open"));
    fireEvent.click(page.getByText("Make it pass"));
    expect(await eventually(() => page.getByText("Today: 1 open"))).toBeTruthy();
  });

  test("shows a change at once, in every component, before the server has it", async () => {
    function Titles(): ReactNode {
      const [state, patch] = useSharedState(Todos);
      const [again] = useSharedState(Todos);
      const rename = (): void =>
        void patch(() => [{ op: "replace", path: "/title", value: "Tomorrow" }]);
      return (
        <button onClick={rename}>
          {state?.title ?? "none"} and {again?.title ?? "none"}
        </button>
      );
    }
    const page = await openPage(<Titles />);
    await page.client.sessions.message(page.sessionId, { message: "/state" });
    fireEvent.click(await eventually(() => page.getByText("Today and Today")));
    expect(page.getByText("Tomorrow and Tomorrow")).toBeTruthy();
    await eventually(async () => {
      const { state } = await page.client.sessions.sharedState(page.sessionId);
      expect(state).toMatchObject({ title: "Tomorrow" });
    });
    expect(page.getByText("Tomorrow and Tomorrow")).toBeTruthy();
  });

  test("is any JSON where nothing parses it, and refuses a patch that does not fit", async () => {
    const refusals: unknown[] = [];
    function Raw(): ReactNode {
      const [state, patch] = useSharedState();
      const remove = (): void => {
        patch([{ op: "remove", path: "/nothing" }]).catch((error: unknown) => refusals.push(error));
      };
      return <button onClick={remove}>state: {JSON.stringify(state)}</button>;
    }
    const page = await openPage(<Raw />);
    fireEvent.click(await eventually(() => page.getByText("state: {}")));
    await eventually(() => expect(refusals).toHaveLength(1));
    expect(refusals).toMatchObject([{ code: "wire" }]);
  });
});
