import { detach } from "@turnwire/base";
import { useClient, useSession, useSessionSelector } from "@turnwire/react";
import { useEffect, useMemo, useState, type KeyboardEvent } from "react";
import {
  completed,
  isComplete,
  matchCommands,
  type Offer,
  type Trigger,
  triggerAt,
} from "./completion.ts";

const MOST_OFFERS = 30;

interface CompletionOptions {
  readonly text: string;
  readonly caret: number;
  readonly onComplete: (text: string, caret: number) => void;
}

export interface Completion {
  readonly type: Trigger["type"] | undefined;
  /** Empty while there is nothing to offer. */
  readonly offers: readonly Offer[];
  readonly chosen: number;
  readonly take: (offer: Offer) => void;
  /** True if the list handled the key. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** Commands after `/`, files of the session's directory after `@`. */
export function useCompletion({ text, caret, onComplete }: CompletionOptions): Completion {
  const trigger = triggerAt(text, caret);
  const place = trigger && `${trigger.type} ${trigger.query}`;
  const [choice, setChoice] = useState({ place, index: 0 });
  const [closed, setClosed] = useState<string>();
  const all = useOffers(trigger);
  const offers = trigger && closed !== place ? all : [];
  const chosen = choice.place === place ? Math.min(choice.index, offers.length - 1) : 0;
  const take = (offer: Offer): void => {
    if (!trigger) return;
    const result = completed(text, trigger, offer);
    onComplete(result.text, result.caret);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    const offer = offers[chosen];
    if (!trigger || !offer) return false;
    switch (event.key) {
      case "ArrowDown":
        setChoice({ place, index: (chosen + 1) % offers.length });
        return true;
      case "ArrowUp":
        setChoice({ place, index: (chosen + offers.length - 1) % offers.length });
        return true;
      case "Escape":
        setClosed(place);
        return true;
      case "Enter":
      case "Tab":
        if (event.shiftKey || isComplete(trigger, offer)) return false;
        take(offer);
        return true;
      default:
        return false;
    }
  };
  return { type: trigger?.type, offers, chosen, take, onKey };
}

function useOffers(trigger: Trigger | undefined): readonly Offer[] {
  const commands = useSessionSelector((view) => view.session.session.capabilities.slash_commands);
  const type = trigger?.type;
  const query = trigger?.query ?? "";
  const found = useMemo(
    () => (type === "command" ? matchCommands(commands, query).slice(0, MOST_OFFERS) : []),
    [commands, type, query],
  );
  const paths = usePaths(query, type === "path");
  return type === "command" ? found : paths;
}

/** The previous files stay until the server has answered; none are offered if it fails. */
function usePaths(query: string, isWanted: boolean): readonly Offer[] {
  const client = useClient();
  const { id } = useSession();
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  useEffect(() => {
    if (!isWanted) {
      setOffers([]);
      return;
    }
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const asked = { kind: "file", prefix: query, session_id: id, limit: MOST_OFFERS } as const;
      const { paths } = await client.paths(asked, { signal: abort.signal });
      setOffers(
        paths.map(({ path, kind }) =>
          kind === "directory"
            ? { value: `${path.replace(/\/$/, "")}/`, isOpenEnded: true }
            : { value: path },
        ),
      );
    };
    detach(load(), () => {
      if (!abort.signal.aborted) setOffers([]);
    });
    return () => abort.abort();
  }, [client, id, query, isWanted]);
  return offers;
}
