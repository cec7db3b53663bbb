import { useClient } from "@turnwire/react";
import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { isThisMachine, watchRelays, type ShownRelay } from "./watch-relays.ts";

const RelaysContext = createContext<readonly ShownRelay[]>([]);

/** Looks for relays once for the whole window. */
export function RelaysProvider({ children }: { readonly children: ReactNode }) {
  const client = useClient();
  const [relays, setRelays] = useState<readonly ShownRelay[]>([]);
  useEffect(() => {
    if (isThisMachine(location.hostname)) return watchRelays(client, setRelays);
    return undefined;
  }, [client]);
  return <RelaysContext value={relays}>{children}</RelaysContext>;
}

/** The relays that answer on this machine, by port. */
export function useRelays(): readonly ShownRelay[] {
  return useContext(RelaysContext);
}
