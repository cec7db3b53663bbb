import type { TurnwireClient } from "@turnwire/client";
import { textOf, type Block } from "@turnwire/protocol";
import {
  ComponentView,
  createRegistry,
  SessionProvider,
  Surface,
  TurnwireProvider,
  useActivity,
  useConnection,
  useFrontendTool,
  useMessage,
  useMessageIds,
  useRequests,
  useSend,
  useSending,
  useSessions,
  useSharedState,
  useTurn,
  type ComponentProps,
} from "@turnwire/react";
import { memo, useState } from "react";
import { renderToString } from "react-dom/server";
import * as z from "zod";

// Every example of docs/packages/react.md, as it stands there.

const ChartProps = z.object({ title: z.string(), data: z.array(z.number()) });

function Chart({ props, callback }: ComponentProps<z.infer<typeof ChartProps>>) {
  return (
    <button onClick={() => void callback("opened", { title: props.title })}>
      {props.title}: {props.data.join(", ")}
    </button>
  );
}

function Approval({ props, respond, value }: ComponentProps) {
  if (!respond) return <p>Answered: {JSON.stringify(value)}</p>;
  return <button onClick={() => respond({ approved: true })}>{JSON.stringify(props)}</button>;
}

const registry = createRegistry({
  chart: { component: Chart, surfaces: ["chat", "panel"], parse: ChartProps },
  approval: { component: Approval, surfaces: ["chat", "overlay"] },
});

export function App({ client, sessionId }: { client: TurnwireClient; sessionId: string }) {
  return (
    <TurnwireProvider client={client} registry={registry}>
      <Sessions />
      <SessionProvider sessionId={sessionId}>
        <Conversation />
        <Requests />
        <Todos />
        <Surface name="panel" fallback="Nothing here yet" />
        <Composer />
      </SessionProvider>
    </TurnwireProvider>
  );
}

function Conversation() {
  return useMessageIds().map((id) => <Message key={id} id={id} />);
}

const Message = memo(function Message({ id }: { id: string }) {
  const message = useMessage(id);
  if (!message) return null;
  if (message.role === "user") return <p>You: {textOf(message)}</p>;
  return message.blocks.map((block) => <BlockView key={block.key} block={block} />);
});

const BlockView = memo(function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case "text":
      return <p>{block.text}</p>;
    case "component":
    case "interrupt":
      return <ComponentView block={block} />;
    default:
      return <p>{block.type}</p>;
  }
});

function Composer() {
  const send = useSend();
  const { isRunning, isCancelling, interrupt } = useTurn();
  const activity = useActivity();
  const connection = useConnection();
  const [text, setText] = useState("");
  return (
    <footer>
      {useSending().map((message) => (
        <p key={message.client_message_id}>
          {message.status} <button onClick={message.retry}>Send again</button>
        </p>
      ))}
      <p>{connection.status === "live" ? activity.label : connection.status}</p>
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button onClick={() => send(text)}>Send</button>
      <button disabled={!isRunning || isCancelling} onClick={() => void interrupt()}>
        Stop
      </button>
    </footer>
  );
}

function Requests() {
  return useRequests().map((request) => {
    if (request.type !== "permission") return null;
    const { id, progress, respond } = request;
    return (
      <fieldset key={id} disabled={progress.status === "responding"}>
        <legend>May I use {request.request.tool_name}?</legend>
        <button onClick={() => respond({ behavior: "allow" })}>Allow</button>
        <button onClick={() => respond({ behavior: "deny", message: "Not now" })}>Deny</button>
      </fieldset>
    );
  });
}

export function ColorTool() {
  useFrontendTool("choose_color", async (_input, { signal }) => {
    signal.throwIfAborted();
    return getComputedStyle(document.body).color;
  });
  return null;
}

const TodoState = z.object({ open: z.number(), todos: z.array(z.object({ text: z.string() })) });

function Todos() {
  const [state, patch] = useSharedState(TodoState);
  const add = () => patch([{ op: "add", path: "/todos/-", value: { text: "Tea", done: false } }]);
  return state && <button onClick={() => void add()}>{state.open} to do</button>;
}

function Sessions() {
  const { sessions, hasMore, loadMore } = useSessions({ limit: 20 });
  return (
    <nav>
      {sessions.map(({ session_id, title, activity }) => (
        <a key={session_id} href={`#${session_id}`}>
          {title} ({activity})
        </a>
      ))}
      {hasMore && <button onClick={() => void loadMore()}>Older</button>}
    </nav>
  );
}

export async function renderPage(client: TurnwireClient, sessionId: string): Promise<string> {
  const snapshot = await client.sessions.snapshot(sessionId);
  return renderToString(
    <TurnwireProvider client={client}>
      <SessionProvider sessionId={sessionId} snapshot={snapshot}>
        <Conversation />
      </SessionProvider>
    </TurnwireProvider>,
  );
}
