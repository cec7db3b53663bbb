import { serveFrontendTool, type FrontendTool } from "@turnwire/client/binding";
import { useSession } from "./context.ts";

/**
 * Performs a tool of the agent in this page, while the component lives. Every page that has the
 * tool is called and the first answer wins; the others hear of it by their call's signal.
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
