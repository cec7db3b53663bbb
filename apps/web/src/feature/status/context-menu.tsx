import { detach } from "@turnwire/base";
import type { SessionView } from "@turnwire/client";
import { useSession, useSessionSelector } from "@turnwire/react";
import { countText } from "../../element/figure.ts";
import { Popover } from "../../element/popover.tsx";
import { showError } from "../../element/toast.ts";
import style from "./background-menu.module.css";

function contextOf({ session }: SessionView): SessionView["session"]["context"] {
  return session.context;
}

/** The parts that fill the agent's context; opening it asks the agent. */
export function ContextMenu({ label }: { readonly label: string }) {
  const session = useSession();
  const context = useSessionSelector(contextOf);
  const read = (): void => detach(session.execute({ type: "read_context" }), showError);
  return (
    <Popover label={label} onOpen={read}>
      {context ? (
        <ul className={`stack gap-2 ${style.list}`} aria-label="What fills the context">
          {context.parts.map((part) => (
            <li key={part.label}>
              <span className={`grow shrink breaks ${part.is_reserved ? "faint" : ""}`}>
                {part.label}
              </span>
              <span className="tiny numbers faint">{countText(part.tokens)}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p>The agent reports it when it is awake.</p>
      )}
    </Popover>
  );
}
