import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { ReactNode } from "react";
import {
  SessionProvider,
  Surface,
  TurnwireProvider,
  useActivity,
  useConnection,
  useFrontendTool,
  useMessages,
  useRequests,
  useSending,
  useSession,
  useSessions,
  useSharedState,
  useTurn,
} from "./index.ts";
import { startServer } from "./test-support/server.ts";

/** Every hook at once. */
function Everything(): ReactNode {
  useSession();
  useSending();
  useSharedState();
  useFrontendTool("choose_color", () => "teal");
  const { status, sessions } = useSessions();
  const { isRunning } = useTurn();
  const roles = useMessages().map(({ role }) => role);
  const requests = useRequests().map(({ type, progress }) => `${type} ${progress.status}`);
  return (
    <>
      <p>{`line ${useConnection().status}, ${useActivity().kind}, running ${isRunning}`}</p>
      <p>{`messages ${roles.join()}; requests ${requests.join()}`}</p>
      <p>{`list ${status} ${sessions.length}`}</p>
      <Surface name="panel" fallback={<p>empty panel</p>} />
    </>
  );
}

describe("a page rendered on a server, where there is no window", () => {
  test("shows an empty session, and opens no connection", async () => {
    expect(typeof window).toBe("undefined");
    const server = await startServer();
    const signals: AbortSignal[] = [];
    const client = server.createClient({
      fetch: (url, init) => {
        signals.push(init.signal);
        return fetch(url, init);
      },
    });
    const { session_id } = await client.sessions.create();
    signals.length = 0;
    const html = renderToString(
      <TurnwireProvider client={client}>
        <SessionProvider sessionId={session_id}>
          <Everything />
        </SessionProvider>
      </TurnwireProvider>,
    );
    expect(html).toContain("line idle, idle, running false");
    expect(html).toContain("messages ; requests ");
    expect(html).toContain("list loading 0");
    expect(html).toContain("empty panel");
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  });

  test("shows the conversation where it is given a snapshot", async () => {
    const server = await startServer();
    const client = server.createClient();
    const { session_id } = await client.sessions.create();
    const session = client.openSession(session_id);
    await session.send("/permission");
    await session.waitFor((view) => Object.keys(view.requests).length === 1);
    session.close();
    const html = renderToString(
      <TurnwireProvider client={client}>
        <SessionProvider
          sessionId={session_id}
          snapshot={await client.sessions.snapshot(session_id)}
        >
          <Everything />
        </SessionProvider>
      </TurnwireProvider>,
    );
    expect(html).toContain("line idle, waiting, running true");
    expect(html).toContain("messages user,agent; requests permission requested");
  });
});
