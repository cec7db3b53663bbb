import { textOf } from "@turnwire/protocol";
import { useState, type ReactNode } from "react";
import { describe, expect, test } from "vitest";
import {
  useActivity,
  useConnection,
  useMessages,
  useSend,
  useSending,
  useSession,
  useSessionSelector,
  useTurn,
} from "./index.ts";
import { act, fireEvent } from "./test-support/dom.ts";
import { eventually, openPage } from "./test-support/page.tsx";
import { startServer } from "./test-support/server.ts";

function Conversation(): ReactNode {
  return (
    <ol>
      {useMessages().map((message) => (
        <li key={message.id}>
          {message.role}: {textOf(message)}
        </li>
      ))}
    </ol>
  );
}

function Say({ text }: { readonly text: string }): ReactNode {
  const send = useSend();
  return <button onClick={() => send(text)}>Say {text}</button>;
}

function Sending(): ReactNode {
  return (
    <ul>
      {useSending().map(({ client_message_id, content, status, retry, discard }) => (
        <li key={client_message_id}>
          {status}: {JSON.stringify(content)}
          <button onClick={retry}>Retry</button>
          <button onClick={discard}>Discard</button>
        </li>
      ))}
    </ul>
  );
}

function TurnLine(): ReactNode {
  const { isRunning, isCancelling, interrupt } = useTurn();
  const activity = useActivity();
  const state = isCancelling ? "cancelling" : isRunning ? "running" : "at rest";
  return (
    <>
      <p>
        {state}, {activity.kind}
      </p>
      <button onClick={() => void interrupt()}>Stop</button>
    </>
  );
}

describe("a conversation", () => {
  test("shows what was said and what the agent answers", async () => {
    const page = await openPage(
      <>
        <Conversation />
        <Say text="/thinking" />
      </>,
    );
    fireEvent.click(page.getByText("Say /thinking"));
    await eventually(() => page.getByText("user: /thinking"));
    const answer = await eventually(() => page.getByText(/^agent: /));
    expect(answer.textContent).toContain("The dependencies are older than the lock file");
  });

  test("shows a message on its way until it is in the log, and never in both places", async () => {
    const seen: string[] = [];
    function Watch(): ReactNode {
      const places = [
        useSending().length,
        useMessages().filter(({ role }) => role === "user").length,
      ];
      seen.push(places.join("+"));
      return null;
    }
    const page = await openPage(
      <>
        <Watch />
        <Conversation />
        <Say text="hello" />
      </>,
    );
    fireEvent.click(page.getByText("Say hello"));
    await eventually(() => page.getByText("user: hello"));
    expect([...new Set(seen)]).toEqual(["0+0", "1+0", "0+1"]);
  });

  test("keeps a message that the server refused, to send again or to forget", async () => {
    const server = await startServer();
    const lines = { isCut: true };
    const client = server.createClient({
      sendAttempts: 1,
      fetch: async (url, init) => {
        if (lines.isCut && init.method === "POST" && url.endsWith("/message")) {
          throw new TypeError("The connection is cut");
        }
        return fetch(url, init);
      },
    });
    const page = await openPage(
      <>
        <Conversation />
        <Sending />
        <Say text="one" />
        <Say text="two" />
      </>,
      { server, client },
    );
    fireEvent.click(page.getByText("Say one"));
    await eventually(() => page.getByText('failed: "one"'));
    lines.isCut = false;
    fireEvent.click(page.getByText("Retry"));
    await eventually(() => page.getByText("user: one"));
    lines.isCut = true;
    fireEvent.click(page.getByText("Say two"));
    await eventually(() => page.getByText('failed: "two"'));
    fireEvent.click(page.getByText("Discard"));
    await eventually(() => expect(page.queryByText('failed: "two"')).toBeNull());
  });

  test("reports that the turn runs, that it is asked to stop, and that it has ended", async () => {
    const seen: string[] = [];
    function Watch(): ReactNode {
      const { isRunning, isCancelling } = useTurn();
      seen.push(isCancelling ? "cancelling" : isRunning ? "running" : "at rest");
      return null;
    }
    const page = await openPage(
      <>
        <Watch />
        <TurnLine />
        <Say text="/permission" />
      </>,
    );
    fireEvent.click(page.getByText("Say /permission"));
    await eventually(() => page.getByText("running, waiting"));
    fireEvent.click(page.getByText("Stop"));
    await eventually(() => page.getByText("at rest, idle"));
    const order = seen.filter((state, index) => state !== seen[index - 1]);
    expect(order).toEqual(["at rest", "running", "cancelling", "at rest"]);
  });

  test("reports the connection's status, and that it recovered", async () => {
    const server = await startServer();
    const lines = { isCut: true };
    const client = server.createClient({
      fetch: async (url, init) => {
        if (lines.isCut && url.includes("/snapshot")) throw new TypeError("The connection is cut");
        return fetch(url, init);
      },
    });
    function Line(): ReactNode {
      const { status, error } = useConnection();
      return <p>{`${status}${error ? `: ${error.code}` : ""}`}</p>;
    }
    const page = await openPage(<Line />, { server, client });
    await eventually(() => page.getByText("waiting: network"));
    lines.isCut = false;
    expect(await eventually(() => page.getByText("live"))).toBeTruthy();
  });
});

describe("a selector", () => {
  test("renders again only when what it selects has changed, also one that makes new objects", async () => {
    const renders = { roles: 0 };
    const isSame = (left: readonly string[], right: readonly string[]): boolean =>
      left.join() === right.join();
    function Roles(): ReactNode {
      renders.roles += 1;
      const roles = useSessionSelector(
        (view) => view.session.messages.map(({ role }) => role),
        isSame,
      );
      return <p>roles: {roles.join(", ")}</p>;
    }
    const page = await openPage(
      <>
        <Roles />
        <TurnLine />
        <Say text="/long 50" />
      </>,
    );
    fireEvent.click(page.getByText("Say /long 50"));
    await eventually(() => page.getByText("roles: user, agent"));
    await eventually(() => page.getByText("at rest, idle"));
    const kinds = 4; // empty, empty again in strict mode, user, agent
    expect(renders.roles).toBeLessThanOrEqual(2 * kinds);
  });

  test("that is another one with each render gives the newest of them", async () => {
    const control: { choose?: (field: "title" | "runtime") => void } = {};
    function Field(): ReactNode {
      const [field, choose] = useState<"title" | "runtime">("title");
      control.choose = choose;
      return <p>fact: {useSessionSelector(({ session }) => session.session[field])}</p>;
    }
    const server = await startServer();
    const { session_id } = await server.createClient().sessions.create({ title: "A name" });
    const page = await openPage(<Field />, { server, sessionId: session_id });
    await eventually(() => page.getByText("fact: A name"));
    act(() => control.choose?.("runtime"));
    expect(page.getByText("fact: demo")).toBeTruthy();
  });

  test("that is written in place keeps its one subscription", async () => {
    const counts = { subscriptions: 0, renders: 0 };
    function Counting(): ReactNode {
      const session = useSession();
      const [subscribe] = useState(() => session.subscribe.bind(session));
      session.subscribe = (listener) => {
        counts.subscriptions += 1;
        return subscribe(listener);
      };
      return <Seq />;
    }
    function Seq(): ReactNode {
      counts.renders += 1;
      return <p>seq: {useSessionSelector(({ session }) => session.seq)}</p>;
    }
    const page = await openPage(
      <>
        <Counting />
        <TurnLine />
        <Say text="/long 50" />
      </>,
    );
    await eventually(() => page.getByText("at rest, idle"));
    const before = { ...counts };
    fireEvent.click(page.getByText("Say /long 50"));
    await eventually(() => expect(counts.renders).toBeGreaterThan(before.renders));
    await eventually(() => page.getByText("at rest, idle"));
    expect(counts.subscriptions).toBe(before.subscriptions);
  });
});
