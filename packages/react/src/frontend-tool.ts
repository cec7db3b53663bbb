import { serveFrontendTool, type FrontendTool } from "@turnwire/client/binding";
import { useEffect, useRef } from "react";
import { useSession } from "./session-provider.tsx";

/**
 * Performs a tool of the agent in this page, while mounted. Every page that has the tool is called
 * and the first answer wins; the others hear of it by their call's signal.
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
