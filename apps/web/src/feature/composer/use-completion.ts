import { detach } from "@turnwire/base";
import type { Capabilities } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
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

/** Where `@` looks for files. */
export type FilePlace = { readonly session_id: string } | { readonly cwd: string };

interface CompletionOptions {
  readonly text: string;
  readonly caret: number;
  /** Nothing is offered for a message that was recalled. */
  readonly isRecalled: boolean;
  readonly onComplete: (text: string, caret: number) => void;
  readonly commands: Capabilities["slash_commands"];
  /** Without one, no files are offered. */
  readonly files: FilePlace | undefined;
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

/** Commands after `/`, files of the working directory after `@`. */
export function useCompletion(options: CompletionOptions): Completion {
  const { text, caret, isRecalled, onComplete, commands, files } = options;
  const trigger = isRecalled ? undefined : triggerAt(text, caret);
  const place = trigger && `${trigger.type} ${trigger.query}`;
  const [choice, setChoice] = useState({ place, index: 0 });
  const [closed, setClosed] = useState<string>();
  const all = useOffers(trigger, { commands, files });
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

function useOffers(
  trigger: Trigger | undefined,
  { commands, files }: Pick<CompletionOptions, "commands" | "files">,
): readonly Offer[] {
  const type = trigger?.type;
  const query = trigger?.query ?? "";
  const found = useMemo(
    () => (type === "command" ? matchCommands(commands, query).slice(0, MOST_OFFERS) : []),
    [commands, type, query],
  );
  const paths = usePaths(query, type === "path" ? files : undefined);
  return type === "command" ? found : paths;
}

/** The previous files stay until the server has answered; none are offered if it fails. */
function usePaths(query: string, place: FilePlace | undefined): readonly Offer[] {
  const client = useClient();
  // As a text, so that an equal place does not ask again.
  const where = place && JSON.stringify(place);
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  useEffect(() => {
    if (where === undefined) {
      setOffers([]);
      return;
    }
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const directory: FilePlace = JSON.parse(where);
      const asked = { kind: "file", prefix: query, ...directory, limit: MOST_OFFERS } as const;
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
  }, [client, where, query]);
  return offers;
}
