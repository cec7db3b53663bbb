import { serveFrontendTool, type FrontendTool } from "@turnwire/client/binding";
import { useEffect, useRef } from "react";
import { useSession } from "./session-provider.tsx";

/**
 * Performs a tool of the agent in this page, while mounted. Of all pages that have the tool one
 * performs each call; if it is closed meanwhile, another one takes over within half a minute.
 */
export function useFrontendTool(name: string, tool: FrontendTool): void {
  const session = useSession();
  const newest = useRef(tool);
  useEffect(() => {
    newest.current = tool;
  }, [tool]);
  useEffect(
    () => serveFrontendTool(session, name, (input, call) => newest.current(input, call)),
    [session, name],
  );
}
