import { SessionProvider, Surface } from "@turnwire/react";
import { useEffect, useState, type ReactNode } from "react";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { Requests } from "./request.tsx";
import { SessionList } from "./session-list.tsx";

/** The session in the address, so that a reload or another tab shows the same one. */
function useSessionInAddress(): readonly [string, (id: string) => void] {
  const [id, setId] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const follow = (): void => setId(location.hash.slice(1));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return [id, (next) => (location.hash = next)];
}

export function App(): ReactNode {
  const [sessionId, openSession] = useSessionInAddress();
  return (
    <div className="page">
      <SessionList current={sessionId} onOpen={openSession} />
      {sessionId === "" ? (
        <main className="empty">Start a session, or open one.</main>
      ) : (
        <SessionProvider key={sessionId} sessionId={sessionId}>
          <main>
            <Conversation />
            <Surface name="chat" />
            <Surface name="overlay" />
            <Requests />
            <Composer />
          </main>
          <aside className="panel" aria-label="Panel">
            <Surface name="canvas" />
            <Surface name="sidebar" />
            <Surface
              name="panel"
              fallback={<p className="quiet">What the agent shows beside the chat.</p>}
            />
          </aside>
        </SessionProvider>
      )}
    </div>
  );
}
