import { serveFrontendTool, type FrontendTool } from "@turnwire/client/binding";
import { useSession } from "./context.ts";

/**
 * Performs a tool of the agent in this page, while the component lives. Of all pages that have the
 * tool one performs each call; if it is closed meanwhile, another one takes over within half a minute.
 */
export function useFrontendTool(name: string, tool: FrontendTool): void {
  const state = useSession();
  $effect(() => {
    const shared = state.share();
    const stop = serveFrontendTool(shared.session, name, tool);
    return () => {
      stop();
      shared.release();
    };
  });
}
