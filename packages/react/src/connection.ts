import type { ConnectionView, SessionView } from "@turnwire/client";
import { useSessionSelector } from "./session-selector.ts";

/** How the line to the server is. */
export function useConnection(): ConnectionView {
  return useSessionSelector(connectionOf);
}

function connectionOf({ connection }: SessionView): ConnectionView {
  return connection;
}
