import { detach } from "@turnwire/base";
import { ClientError, type TurnwireClient } from "@turnwire/client";
import { RelayDiscovery, type RelayAgent } from "@turnwire/client/relay";
import type { RelayInfo, RelayList } from "@turnwire/protocol";

/** A relay on this machine, and the agents that it spoke of to this page. */
export interface ShownRelay extends RelayInfo {
  readonly agents: readonly RelayAgent[];
}

/** How soon a server that could not be asked is asked again. */
const RETRY_MS = 5_000;

/** Whether a page was opened on the machine whose server it is from: only then is anything looked for. */
export function isThisMachine(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

/** Keeps a list of the relays of this machine up to date; the answer ends that. */
export function watchRelays(
  client: Pick<TurnwireClient, "relays">,
  onChange: (relays: readonly ShownRelay[]) => void,
): () => void {
  let isOver = false;
  let stop = (): void => {};
  const start = async (): Promise<void> => {
    const list = await client.relays();
    if (!isOver && list.ports.length > 0) stop = followRelays(client, list, onChange);
  };
  const retry = (error: unknown): void => {
    const hasNone = error instanceof ClientError && error.error?.code === "not_found";
    if (isOver || hasNone) return;
    const timer = setTimeout(begin, RETRY_MS);
    stop = () => clearTimeout(timer);
  };
  const begin = (): void => detach(start(), retry);
  begin();
  return () => {
    isOver = true;
    stop();
  };
}

function followRelays(
  client: Pick<TurnwireClient, "relays">,
  first: RelayList,
  onChange: (relays: readonly ShownRelay[]) => void,
): () => void {
  let infos: readonly RelayInfo[] = [];
  let next: Promise<RelayList> | undefined = Promise.resolve(first);
  /** The server looks, because browsers log each connection that is refused. */
  const probe = async (): Promise<readonly number[]> => {
    // A page that is not seen asks nothing, and keeps what it has.
    if (document.visibilityState === "hidden") return [];
    const { relays } = await (next ?? client.relays());
    next = undefined;
    if (JSON.stringify(relays) !== JSON.stringify(infos)) {
      infos = relays;
      show();
    }
    return relays.filter(isFollowed).map(({ port }) => port);
  };
  const discovery = new RelayDiscovery({ ports: first.ports, probe });
  const show = (): void => {
    const found = new Map(discovery.getState().map(({ port, agents }) => [port, agents]));
    onChange(infos.map((info) => ({ ...info, agents: found.get(info.port) ?? [] })));
  };
  discovery.subscribe(show);
  return () => discovery.close();
}

/** Our own relay has the sessions of the list, and others keep theirs to those who have their token. */
function isFollowed({ needs_token, is_own }: RelayInfo): boolean {
  return !needs_token && !is_own;
}
