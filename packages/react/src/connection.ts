import type { ConnectionView, SessionView } from "@turnwire/client";
import { useSessionSelector } from "./session-selector.ts";

/** The status of the connection to the server. */
export function useConnection(): ConnectionView {
  return useSessionSelector(connectionOf);
}

function connectionOf({ connection }: SessionView): ConnectionView {
  return connection;
}
