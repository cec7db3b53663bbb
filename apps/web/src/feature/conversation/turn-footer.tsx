import type { SessionView } from "@turnwire/client";
import { textOf, type AgentMessage, type Message } from "@turnwire/protocol";
import { useSessionSelector, useClient, useSession } from "@turnwire/react";
import { useMemo } from "react";
import { ClockTime } from "../../element/clock-time-view.tsx";
import { costText, counted, countText, durationText } from "../../element/figure.ts";
import { changeCount } from "../block/change-count.ts";
import { DiffCount } from "../block/diff-view.tsx";
import { CopyButton } from "../../element/copy-button.tsx";
import style from "./turn-footer.module.css";
import { detach } from "@turnwire/base";
import { navigate } from "../navigation/navigation.ts";
import { IconButton } from "../../element/icon-button.tsx";
import { showError } from "../../element/toast.ts";
import { forkTitle, titleOf } from "../session/session-title.ts";

/** The cost of a turn and the buttons for its answer; its space is reserved while the turn runs. */
export function TurnFooter({ id }: { readonly id: string }) {
  const message = useDoneMessage(id);
  return (
    <footer className={`row gap-2 tiny numbers faint ${style.footer}`}>
      {message && <Facts message={message} />}
    </footer>
  );
}

function Facts({ message }: { readonly message: AgentMessage }) {
  const { result, stopped, turn_id } = message;
  const isTurnOver = result !== undefined || stopped === true;
  const hasText = message.blocks.some(({ type }) => type === "text");
  return (
    <>
      <div className="row gap-1">
        {hasText && <CopyButton label="Copy the answer" text={() => textOf(message)} />}
        {isTurnOver && turn_id !== undefined && <ForkButton turnId={turn_id} />}
      </div>
      {stopped && <span className="medium soft">Stopped</span>}
      {isTurnOver && turn_id !== undefined && <TurnChange turnId={turn_id} />}
      {result && <span title={detailOf(result)}>{factsOf(result)}</span>}
      {message.ended_at !== undefined && <ClockTime time={message.ended_at} />}
    </>
  );
}

/** What the whole turn changed, also before a message that was sent into it. */
function TurnChange({ turnId }: { readonly turnId: string }) {
  const messages = useSessionSelector(
    useMemo(
      () =>
        ({ session }: SessionView) =>
          messagesOf(session.messages, turnId),
      [turnId],
    ),
    isSameList,
  );
  const count = useMemo(() => changeCount(messages.flatMap(({ blocks }) => blocks)), [messages]);
  if (!count) return null;
  return (
    <span className={`inline-row gap-1 ${style.change}`}>
      {counted(count.files, "file")} <DiffCount file={count} />
    </span>
  );
}

function messagesOf(messages: readonly Message[], turnId: string): readonly AgentMessage[] {
  return messages.filter(
    (message): message is AgentMessage => message.role === "agent" && message.turn_id === turnId,
  );
}

function isSameList<Item>(left: readonly Item[], right: readonly Item[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}

type Result = NonNullable<AgentMessage["result"]>;

function factsOf({ duration_ms, usage, total_cost_usd }: Result): string {
  const tokens = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
  return [
    duration_ms !== undefined && durationText(duration_ms),
    tokens > 0 && `${countText(tokens)} tokens`,
    total_cost_usd !== undefined && total_cost_usd > 0 && costText(total_cost_usd),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The figures in detail. */
function detailOf({ usage }: Result): string {
  const figures = [
    [usage?.input_tokens, "in"],
    [usage?.output_tokens, "out"],
    [usage?.cache_read_tokens, "read from cache"],
    [usage?.cache_write_tokens, "written to cache"],
    [usage?.reasoning_tokens, "for reasoning"],
  ] as const;
  return figures
    .flatMap(([count, what]) => (count === undefined ? [] : [`${countText(count)} ${what}`]))
    .join(", ");
}

/** The message once it is complete: nothing is rendered here while it grows. */
function useDoneMessage(id: string): AgentMessage | undefined {
  return useSessionSelector(
    useMemo(
      () =>
        ({ session }: SessionView) => {
          const message = session.messages.findLast((one) => one.id === id);
          return message?.role === "agent" && message.done ? message : undefined;
        },
      [id],
    ),
  );
}

/** Forks the session from here, if the runtime can. */
function ForkButton({ turnId }: { readonly turnId: string }) {
  const client = useClient();
  const session = useSession();
  const canFork = useSessionSelector((view) => view.session.session.capabilities.fork);
  if (!canFork) return null;
  const fork = async (): Promise<void> => {
    const title = forkTitle(titleOf(session.getState().session.session));
    const { session_id } = await client.sessions.fork(session.id, { turn_id: turnId, title });
    navigate({ type: "session", sessionId: session_id });
  };
  return (
    <IconButton
      isSmall
      icon="branch"
      label="Fork from here"
      onClick={() => detach(fork(), showError)}
    />
  );
}
