import type { AgentMessage } from "@turnwire/protocol";
import { useMessage } from "@turnwire/react";
import { memo } from "react";
import { BlockList } from "../block/block-view.tsx";
import style from "./message-view.module.css";
import { UserContent } from "./user-content.tsx";

/** One author's contribution; renders again only when it changes. */
export const MessageView = memo(function MessageView({ id }: { readonly id: string }) {
  const message = useMessage(id);
  if (!message) return null;
  if (message.role === "user") {
    return (
      <article className={style.user} aria-label="You">
        <UserContent content={message.content} />
      </article>
    );
  }
  return <AgentMessageView message={message} />;
});

function AgentMessageView({ message }: { readonly message: AgentMessage }) {
  return (
    <article className={style.agent} aria-label="Agent">
      <BlockList blocks={message.blocks} isStreaming={!message.done} />
      {message.stopped && <p className={style.remark}>Stopped</p>}
    </article>
  );
}
