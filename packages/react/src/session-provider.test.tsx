import type { Session } from "@turnwire/client";
import { StrictMode, useState, type ReactNode } from "react";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  SessionProvider,
  TurnwireProvider,
  useConnection,
  useMessages,
  useSession,
} from "./index.ts";
import { render } from "./test-support/dom.ts";
import { eventually, openPage } from "./test-support/page.tsx";
import { startServer } from "./test-support/server.ts";

function Status(): ReactNode {
  return <p>line: {useConnection().status}</p>;
}

function Count(): ReactNode {
  return <p>messages: {useMessages().length}</p>;
}

describe("a session in React", () => {
  test("is followed over one connection, however many components use it, also in strict mode", async () => {
    const ids = { own: "" };
    function Other(): ReactNode {
      return <p>other: {useSession(ids.own).id}</p>;
    }
    const server = await startServer();
    ids.own = (await server.createClient().sessions.create()).session_id;
    const page = await openPage(
      <>
        <Status />
        <Count />
        <Other />
      </>,
      { server, sessionId: ids.own },
    );
    await eventually(() => page.getByText("line: live"));
    expect(await server.subscribers()).toBe(1);
  });

  test("is let go when the last component that uses it is unmounted, also in mid-turn", async () => {
    const { session, ...page } = await openCountingPage();
    await eventually(() => page.getByText("line: live"));
    await session().send("/slow");
    await eventually(() => expect(session().getState().session.turn).not.toBeNull());
    page.unmount();
    expect(page.listeners()).toBe(0);
    await eventually(async () => expect(await page.server.subscribers()).toBe(0));
    await session().interrupt();
  });

  test("stays open while another component takes over", async () => {
    const page = await openPage(<Status />);
    await eventually(() => page.getByText("line: live"));
    const opened: Session[] = [];
    function Keeper(): ReactNode {
      opened.push(useSession(page.sessionId));
      return null;
    }
    const next = render(
      <TurnwireProvider client={page.client}>
        <Keeper />
      </TurnwireProvider>,
    );
    onTestFinished(() => next.unmount());
    page.unmount();
    expect(opened.at(-1)?.getState().connection.status).toBe("live");
    expect(await page.server.subscribers()).toBe(1);
  });

  test("is opened again where the mount took longer than it lingers", async () => {
    const server = await startServer();
    const client = server.createClient({
      lingerMs: 0,
      startTimer: (callback, delayMs) => {
        if (delayMs === 0) {
          callback();
          return () => {};
        }
        const timer = setTimeout(callback, delayMs);
        return () => clearTimeout(timer);
      },
    });
    const page = await openPage(<Status />, { server, client });
    await eventually(() => page.getByText("line: live"));
    expect(await server.subscribers()).toBe(1);
  });

  test("gives way to another one when the id changes, and its connection with it", async () => {
    const server = await startServer();
    const client = server.createClient();
    const first = await client.sessions.create({ title: "first" });
    const second = await client.sessions.create({ title: "second" });
    const chosen: { choose?: (id: string) => void } = {};
    function Title(): ReactNode {
      return <p>session: {useSession().id}</p>;
    }
    function Chooser(): ReactNode {
      const [id, choose] = useState(first.session_id);
      chosen.choose = choose;
      return (
        <SessionProvider sessionId={id}>
          <Title />
          <Status />
        </SessionProvider>
      );
    }
    const page = render(
      <StrictMode>
        <TurnwireProvider client={client}>
          <Chooser />
        </TurnwireProvider>
      </StrictMode>,
    );
    onTestFinished(() => page.unmount());
    await eventually(() => page.getByText("line: live"));
    chosen.choose?.(second.session_id);
    await eventually(() => page.getByText(`session: ${second.session_id}`));
    await eventually(() => page.getByText("line: live"));
    await eventually(async () => expect(await server.subscribers()).toBe(1));
  });

  test("that does not exist shows the failure instead of breaking the page", async () => {
    const page = await openPage(<Status />, { sessionId: "nowhere" });
    expect(await eventually(() => page.getByText("line: failed"))).toBeTruthy();
  });
});

describe("a hook in the wrong place says what is missing", () => {
  test("without a TurnwireProvider", () => {
    expect(() => render(<SessionProvider sessionId="any" />)).toThrow(/TurnwireProvider/);
  });

  test("without a SessionProvider", async () => {
    const client = (await startServer()).createClient();
    const page = (
      <TurnwireProvider client={client}>
        <Status />
      </TurnwireProvider>
    );
    expect(() => render(page)).toThrow(/SessionProvider/);
  });
});

/** A page that counts who listens to its session. */
async function openCountingPage() {
  const held: { session?: Session; listeners: number } = { listeners: 0 };
  function Watcher(): ReactNode {
    const session = useSession();
    if (held.session !== session) {
      held.session = session;
      const subscribe = session.subscribe.bind(session);
      session.subscribe = (listener) => {
        const stop = subscribe(listener);
        held.listeners += 1;
        return () => {
          held.listeners -= 1;
          stop();
        };
      };
    }
    return (
      <>
        <Status />
        <Count />
      </>
    );
  }
  const page = await openPage(<Watcher />);
  const session = (): Session => {
    if (!held.session) throw new Error("The page has no session yet");
    return held.session;
  };
  return { ...page, session, listeners: () => held.listeners };
}
