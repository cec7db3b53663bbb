import { useClient, useSessions } from "@turnwire/react";
import { useState, type ReactNode } from "react";

interface SessionListProps {
  readonly current: string;
  readonly onOpen: (sessionId: string) => void;
}

export function SessionList({ current, onOpen }: SessionListProps): ReactNode {
  const client = useClient();
  const { sessions, status, error, hasMore, loadMore } = useSessions({ limit: 20 });
  const [problem, setProblem] = useState("");
  const start = async (): Promise<void> => {
    try {
      const { session_id } = await client.sessions.create({ title: "New session" });
      onOpen(session_id);
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown.message : String(thrown));
    }
  };
  return (
    <nav aria-label="Sessions">
      <h1>Turnwire</h1>
      <button className="primary" onClick={() => void start()}>
        New session
      </button>
      {(problem !== "" || status === "failed") && (
        <p role="alert">
          {problem || (error?.message ?? "The list of sessions is not to be had.")}
        </p>
      )}
      <ul>
        {sessions.map(({ session_id, title, activity }) => (
          <li key={session_id}>
            <a href={`#${session_id}`} aria-current={session_id === current ? "page" : undefined}>
              {title ?? session_id}
              {activity !== "idle" && <small> {activity}</small>}
            </a>
          </li>
        ))}
      </ul>
      {hasMore && <button onClick={() => void loadMore()}>Older ones</button>}
    </nav>
  );
}
