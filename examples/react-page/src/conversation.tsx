import { textFromContent, toolSummary, type Block } from "@turnwire/protocol";
import { ComponentView, Markdown, useMessage, useMessageIds } from "@turnwire/react";
import { memo, type ReactNode } from "react";

export function Conversation(): ReactNode {
  return (
    <section className="conversation" aria-label="Conversation">
      <div>
        {useMessageIds().map((id) => (
          <Message key={id} id={id} />
        ))}
      </div>
    </section>
  );
}

/** Follows its own message: a finished one never renders again. */
const Message = memo(function Message({ id }: { readonly id: string }): ReactNode {
  const message = useMessage(id);
  if (!message) return null;
  if (message.role === "user") {
    const { callback } = message;
    if (callback) return <p className="quiet">{`You used ${callback.name}: ${callback.action}`}</p>;
    return <article className="user">{textFromContent(message.content)}</article>;
  }
  return (
    <article className="agent">
      {message.blocks.map((block) => (
        <BlockView key={block.key} block={block} isDone={message.done} />
      ))}
    </article>
  );
});

interface BlockViewProps {
  readonly block: Block;
  readonly isDone: boolean;
}

const BlockView = memo(function BlockView({ block, isDone }: BlockViewProps): ReactNode {
  switch (block.type) {
    case "text":
      return <Markdown text={block.text} isStreaming={!isDone} />;
    case "thinking":
      return <p className="quiet">{block.text}</p>;
    case "tool":
      return (
        <ComponentView block={block}>
          <p className="tool" data-status={block.status}>
            {toolSummary(block)}
          </p>
        </ComponentView>
      );
    case "component":
    case "interrupt":
      return <ComponentView block={block} />;
    case "subagent":
      return (
        <details open>
          <summary>{block.name}</summary>
          {block.blocks.map((inner) => (
            <BlockView key={inner.key} block={inner} isDone={isDone} />
          ))}
        </details>
      );
    case "plan":
      return (
        <ol>
          {block.steps.map(({ text, status }) => (
            <li key={text} data-status={status}>
              {text}
            </li>
          ))}
        </ol>
      );
    case "diff":
      return <pre>{block.unified}</pre>;
    case "notice":
      return <p className="quiet">{block.text}</p>;
    case "error":
      return <p role="alert">{block.message}</p>;
    case "permission":
    case "question":
    case "hook":
    case "tool_call":
    case "budget":
      return <p className="quiet">{`${block.type.replace("_", " ")}: ${block.status}`}</p>;
  }
});
