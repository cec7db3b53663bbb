import type { ContentBlock } from "@agent-webkit/core";
import { type DisplayMessage, useAgentSession } from "@agent-webkit/react";
import { createElement, type ReactElement, useState } from "react";
import { createRoot } from "react-dom/client";

/** Where the page finds its server, and the session it joins, if any. */
const query = new URLSearchParams(location.search);

/**
 * The hook (0.2.0) shows "streaming" once its answer to a request was accepted, also when the result of the
 * turn was there before. A browser delivers two connections in any order, so here the stream waits for answers.
 */
function answersFirst(fetchAny: typeof fetch): typeof fetch {
  let answered: Promise<unknown> = Promise.resolve();
  return async (input, init) => {
    if (init?.method === "POST") {
      const answer = fetchAny(input, init);
      // The hook has acted upon an answer when the next task of the page begins.
      const taken = answer.then(nextTask, nextTask);
      answered = Promise.all([answered, taken]);
      return answer;
    }
    const response = await fetchAny(input, init);
    const wait = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        await answered;
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(wait) ?? null, response);
  };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

globalThis.fetch = answersFirst(globalThis.fetch.bind(globalThis));

function shown(content: string | readonly ContentBlock[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("");
}

function MessageItem({ message }: { message: DisplayMessage }): ReactElement {
  const text = message.kind === "tool_result" ? String(message.output) : shown(message.content);
  return createElement("li", { className: message.kind }, text);
}

/** A chat as the library's readme shows it: everything is what the hook says. */
function Chat(): ReactElement {
  const sessionId = query.get("session");
  const agent = useAgentSession({
    baseUrl: query.get("server") ?? "",
    token: query.get("token") ?? "",
    ...(sessionId !== null && { sessionId }),
  });
  const [text, setText] = useState("");
  const [refusal, setRefusal] = useState("");
  const button = (label: string, act: () => Promise<void>): ReactElement =>
    createElement("button", {
      key: label,
      children: label,
      onClick: () => void act().catch((error: unknown) => setRefusal(String(error))),
    });
  const { pendingPermission, pendingQuestion } = agent;
  return createElement(
    "main",
    null,
    createElement("p", { id: "session" }, agent.sessionId),
    createElement("p", { id: "status" }, agent.status),
    createElement("p", { id: "error" }, agent.lastError?.message),
    createElement("p", { id: "refusal" }, refusal),
    createElement(
      "ul",
      null,
      agent.messages.map((message) => createElement(MessageItem, { key: message.id, message })),
    ),
    createElement("input", {
      value: text,
      onChange: (event: { target: { value: string } }) => setText(event.target.value),
    }),
    button("Send", () => agent.send(text)),
    button("Stop", () => agent.interrupt()),
    button("End", () => agent.close()),
    pendingPermission && [
      button("Allow", () => agent.approve(pendingPermission.correlation_id)),
      button("Deny", () => agent.deny(pendingPermission.correlation_id)),
    ],
    pendingQuestion &&
      button("Answer", () => {
        const { questions } = pendingQuestion.questions;
        const first = questions.map(({ question, options }) => [question, options[0]?.label ?? ""]);
        return agent.answer(pendingQuestion.correlation_id, Object.fromEntries(first));
      }),
  );
}

const place = document.getElementById("root");
if (place) createRoot(place).render(createElement(Chat));
