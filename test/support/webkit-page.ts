import type { ContentBlock } from "@agent-webkit/core";
import { type DisplayMessage, useAgentSession } from "@agent-webkit/react";
import { createElement, type ReactElement, useState } from "react";
import { createRoot } from "react-dom/client";

/** Where the page finds its server, and the session it joins, if any. */
const query = new URLSearchParams(location.search);

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
