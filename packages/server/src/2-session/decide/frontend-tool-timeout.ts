import { FrontendToolDeclaration, type JsonObject, limits } from "@turnwire/protocol";
import * as z from "zod";

const DeclaredTools = z.object({ frontend_tools: z.array(FrontendToolDeclaration) });

/** How long a call of a frontend tool may stay without a page that performs it, as the session declared it. */
export function frontendToolTimeoutMs(params: JsonObject | undefined, toolName: string): number {
  const declared = DeclaredTools.safeParse(params);
  const tool = declared.data?.frontend_tools.find(({ name }) => name === toolName);
  const seconds = tool?.timeout_seconds;
  return seconds === undefined ? limits.frontendToolTimeoutMs : seconds * 1000;
}
