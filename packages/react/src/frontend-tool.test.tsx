import { textOf } from "@turnwire/protocol";
import { useState, type ReactNode } from "react";
import { describe, expect, test } from "vitest";
import { useFrontendTool, useMessages, useTurn, type FrontendTool } from "./index.ts";
import { act, fireEvent } from "./test-support/dom.ts";
import { eventually, openPage, type Page } from "./test-support/page.tsx";

function Tool({ tool }: { readonly tool: FrontendTool }): ReactNode {
  useFrontendTool("choose_color", tool);
  return null;
}

function AnswerTool(): ReactNode {
  return <p>answer: {useMessages().map(textOf).at(-1)}</p>;
}

async function callTool({ client, sessionId }: Page): Promise<void> {
  await client.sessions.message(sessionId, { message: "/frontend-tool" });
}

/** A tool that a test answers by hand. */
function createHandTool() {
  const calls: { answer: (color: string) => void; signal: AbortSignal }[] = [];
  const tool: FrontendTool = (_input, { signal }) =>
    new Promise((answer) => {
      calls.push({ answer, signal });
    });
  return { calls, tool };
}

describe("a frontend tool", () => {
  test("is performed in the page, once, also in strict mode", async () => {
    const inputs: unknown[] = [];
    const tool: FrontendTool = async (input) => {
      inputs.push(input);
      return "plum";
    };
    const page = await openPage(
      <>
        <Tool tool={tool} />
        <AnswerTool />
      </>,
    );
    await callTool(page);
    await eventually(() => page.getByText(/It answered `"plum"`/));
    expect(inputs).toEqual([{ title: "Pick a colour", options: ["teal", "amber", "plum"] }]);
  });

  test("is performed once where the call waits already when the page is opened", async () => {
    const first = await openPage(<AnswerTool />);
    await callTool(first);
    const { client, sessionId, server } = first;
    const following = client.openSession(sessionId);
    await following.waitFor(({ session }) => Object.keys(session.requests).length === 1);
    following.close();
    const calls: unknown[] = [];
    const tool: FrontendTool = (input) => {
      calls.push(input);
      return "teal";
    };
    const page = await openPage(
      <>
        <Tool tool={tool} />
        <AnswerTool />
      </>,
      { server, sessionId },
    );
    await eventually(() => page.getByText(/It answered `"teal"`/));
    expect(calls).toHaveLength(1);
  });

  test("that throws reports it to the agent", async () => {
    const tool: FrontendTool = () => {
      throw new Error("No colours today");
    };
    const page = await openPage(
      <>
        <Tool tool={tool} />
        <AnswerTool />
      </>,
    );
    await callTool(page);
    const answer = await eventually(() => page.getByText(/It could not/));
    expect(answer.textContent).toContain("No colours today");
  });

  test("in two pages is performed in one of them", async () => {
    const first = createHandTool();
    const second = createHandTool();
    const page = await openPage(
      <>
        <Tool tool={first.tool} />
        <AnswerTool />
      </>,
    );
    const { server, sessionId } = page;
    await openPage(<Tool tool={second.tool} />, { server, sessionId });
    await callTool(page);
    await eventually(() => expect(first.calls.length + second.calls.length).toBe(1));
    for (const { answer } of [...first.calls, ...second.calls]) answer("amber");
    await eventually(() => page.getByText(/It answered `"amber"`/));
    expect(first.calls.length + second.calls.length).toBe(1);
    const { events } = await page.client.sessions.eventPage(sessionId, { limit: 1000 });
    expect(events.filter(({ type }) => type === "tool_call_resolved")).toHaveLength(1);
  });

  test("is aborted when its component goes or the turn is stopped", async () => {
    const hand = createHandTool();
    const control: { show?: (isShown: boolean) => void } = {};
    function Togglable(): ReactNode {
      const [isShown, show] = useState(true);
      const { interrupt } = useTurn();
      control.show = show;
      return (
        <>
          {isShown && <Tool tool={hand.tool} />}
          <button onClick={() => void interrupt()}>Stop</button>
        </>
      );
    }
    const page = await openPage(<Togglable />);
    await callTool(page);
    await eventually(() => expect(hand.calls).toHaveLength(1));
    act(() => control.show?.(false));
    expect(hand.calls[0]?.signal.aborted).toBe(true);
    act(() => control.show?.(true));
    await eventually(() => expect(hand.calls).toHaveLength(2));
    fireEvent.click(page.getByText("Stop"));
    await eventually(() => expect(hand.calls[1]?.signal.aborted).toBe(true));
  });
});
