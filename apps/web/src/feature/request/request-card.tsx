import type { RequestProgress } from "@turnwire/client";
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useSession } from "@turnwire/react";
import { useMessageField } from "../composer/message-field.ts";
import { BlockFold } from "../block/block-fold.tsx";
import { plainError } from "../../element/plain-error.ts";
import { Icon } from "../../element/icon.tsx";
import { useForgetKept } from "../session/session-memory.ts";
import { endingOf, type Ending } from "./request-ending.ts";
import { requestKeyFrom, type RequestKey } from "./request-key.ts";
import { RequestCardContext } from "./request-card-context.ts";
import style from "./request-card.module.css";
import { useRequestPlace, useRequestPlaces } from "./use-request-places.ts";
import { useNow } from "../../element/use-now.ts";

interface RequestCardProps {
  readonly id: string;
  /** What is asked, as a question. */
  readonly title: ReactNode;
  readonly progress: RequestProgress;
  /** What was asked, in full. */
  readonly children: ReactNode;
  /** The ways to answer; shown while it is open. */
  readonly actions?: ReactNode;
  /** What single keys do while the card has the focus. */
  readonly keys?: Partial<Record<Exclude<RequestKey, "leave">, () => void>>;
  readonly expiresAt?: string | undefined;
  /** How the given answer reads. */
  readonly answer?: Ending | undefined;
  /** What it was about, in a few words; shown once it has ended. */
  readonly subject?: string | undefined;
  /** Its content has its own frame and title, and shows the answer itself. */
  readonly isBare?: boolean;
  /** Takes the focus on, where the answer is given in another place. */
  readonly onReached?: () => void;
}

/** A card that has just received the focus ignores letters: they may have been meant for another place. */
const ARM_MS = 400;

/** The frame of every request; one line once it has ended. */
export function RequestCard(props: RequestCardProps) {
  const { id, title, progress, children, actions, keys = {}, expiresAt, isBare = false } = props;
  const { onReached } = props;
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const isOpen = progress.outcome === undefined && progress.status !== "conflict";
  const isResponding = progress.status === "responding";
  const { isArmed, ...focusEvents } = useArming(card);
  const field = useMessageField();
  const focusCard = useCallback(() => card.current?.focus(), []);
  useRequestPlace(card, { id, isOpen });
  useForgetKept(`${id} `, !isOpen);
  useFocusAfterAnswer(card, { id, isOpen, isResponding });
  const isElsewhere = useIsElsewhere(id, progress);
  if (!isOpen) {
    return (
      <section ref={card} className="shrink" data-request={id} data-open="false">
        {isBare && progress.outcome === "answered" ? (
          children
        ) : (
          <EndedRequest {...props} isElsewhere={isElsewhere} />
        )}
      </section>
    );
  }
  return (
    <section
      ref={card}
      role="group"
      className={`stack gap-3 ${style.card}`}
      data-request={id}
      data-open="true"
      data-armed={isArmed}
      data-bare={isBare}
      aria-labelledby={titleId}
      tabIndex={-1}
      {...focusEvents}
      onFocus={(event) => {
        focusEvents.onFocus(event);
        if (event.target === card.current) onReached?.();
      }}
      onKeyDown={(event) => onKey(event, { keys, isArmed, onLeave: field.focus })}
    >
      <header className={`line wrap ${style.head}`}>
        <h2 id={titleId}>{title}</h2>
        {expiresAt !== undefined && <ExpiryNote expiresAt={expiresAt} />}
        <span className={`tiny faint ${style.hint}`}>
          <kbd>Alt</kbd> <kbd>R</kbd>
        </span>
      </header>
      <RequestCardContext value={focusCard}>
        {children}
        {actions && (
          <fieldset className="stack gap-3" disabled={isResponding}>
            <legend className="visually-hidden">Answer</legend>
            {actions}
          </fieldset>
        )}
      </RequestCardContext>
      {progress.error && (
        <p className="small bad" role="alert">
          {plainError(progress.error)}
        </p>
      )}
    </section>
  );
}

function EndedRequest(props: RequestCardProps & { readonly isElsewhere: boolean }) {
  const { id, progress, answer, subject, children, isElsewhere } = props;
  const { text, tone } = endingOf(progress, { answer, isElsewhere });
  return (
    <BlockFold
      id={`request ${id} ended`}
      summary={
        <span className={`row gap-2 shrink ${style.ending}`} data-tone={tone}>
          <Icon name={tone === "good" ? "check" : "close"} size={14} />
          <span>{text}</span>
          {subject && <span className={`shrink cut mono faint ${style.subject}`}>{subject}</span>}
        </span>
      }
    >
      <div className={`stack gap-3 ${style.past}`}>{children}</div>
    </BlockFold>
  );
}

interface KeyOptions {
  readonly keys: NonNullable<RequestCardProps["keys"]>;
  readonly isArmed: boolean;
  readonly onLeave: () => void;
}

function onKey(event: KeyboardEvent<HTMLElement>, { keys, isArmed, onLeave }: KeyOptions): void {
  const key = requestKeyFrom(event);
  if (key === undefined || event.defaultPrevented) return;
  const isWriting = isTextField(event.target);
  if (key === "leave") {
    event.preventDefault();
    if (isWriting) event.currentTarget.focus();
    else onLeave();
    return;
  }
  if (isWriting || !isArmed || !keys[key]) return;
  event.preventDefault();
  keys[key]();
}

function isTextField(target: EventTarget): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type === "text")
  );
}

/** Letters count a moment after the card itself received the focus, and at once after the person focused one of its controls. */
function useArming(card: { readonly current: HTMLElement | null }) {
  const [isArmed, setArmed] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isArmed,
    onFocus: (event: { readonly target: EventTarget }) => {
      clearTimeout(timer.current);
      if (event.target !== card.current || isArmed) setArmed(true);
      else timer.current = setTimeout(() => setArmed(true), ARM_MS);
    },
    onBlur: (event: { readonly relatedTarget: EventTarget | null }) => {
      const { relatedTarget } = event;
      if (relatedTarget instanceof Node && card.current?.contains(relatedTarget)) return;
      clearTimeout(timer.current);
      setArmed(false);
    },
  };
}

/** A control that disappears must not take the focus with it. */
function useFocusAfterAnswer(
  card: { readonly current: HTMLElement | null },
  options: { readonly id: string; readonly isOpen: boolean; readonly isResponding: boolean },
): void {
  const { id, isOpen, isResponding } = options;
  const session = useSession();
  const places = useRequestPlaces();
  const hadFocus = useRef(false);
  // What remains of it may be in its tool's row, so that the card itself is gone.
  useEffect(
    () => () => {
      const isAsked = Object.hasOwn(session.getState().session.requests, id);
      const isLost = hadFocus.current && document.activeElement === document.body;
      if (!isAsked && isLost) places.showNext();
    },
    [session, places, id],
  );
  useLayoutEffect(() => {
    if (!isResponding || !card.current?.contains(document.activeElement)) return;
    hadFocus.current = true;
    card.current.focus({ preventScroll: true });
  }, [card, isResponding]);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const element = card.current;
    const note = (): void => {
      hadFocus.current = element?.contains(document.activeElement) === true;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, [card, isOpen]);
  useEffect(() => {
    if (isOpen || !hadFocus.current) return;
    hadFocus.current = false;
    if (document.activeElement === document.body) places.showNext();
  }, [places, isOpen]);
}

/** True once it was answered from another window. */
function useIsElsewhere(id: string, { status }: RequestProgress): boolean {
  const places = useRequestPlaces();
  useEffect(() => places.note(id, status), [places, id, status]);
  return status === "resolved" && places.isAnsweredElsewhere(id);
}

const MINUTE_MS = 60_000;

/** Shown only when less than this is left. */
const SOON_MINUTES = 10;

/** Warns that a request is about to expire. */
function ExpiryNote({ expiresAt }: { readonly expiresAt: string }) {
  const now = useNow();
  const minutes = Math.ceil((Date.parse(expiresAt) - now.getTime()) / MINUTE_MS);
  if (minutes > SOON_MINUTES) return null;
  return (
    <span className={style.expiry}>
      {minutes <= 1 ? "Expires in less than a minute" : `Expires in ${minutes} minutes`}
    </span>
  );
}
