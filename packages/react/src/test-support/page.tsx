import type { RenderResult } from "@testing-library/react";
import type { TurnwireClient } from "@turnwire/client";
import { StrictMode, type ReactNode } from "react";
import { onTestFinished } from "vitest";
import { SessionProvider, TurnwireProvider, type TurnwireProviderProps } from "../index.ts";
import { render, waitFor } from "./dom.ts";
import { startServer, type TestServer } from "./server.ts";

/** Tests wait as long as the runner lets them: no shorter limit that a busy machine could reach. */
const patience = { timeout: 240_000 };

export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return waitFor(check, patience);
}

export interface Page extends RenderResult {
  readonly server: TestServer;
  readonly client: TurnwireClient;
  readonly sessionId: string;
}

export interface PageOptions extends Partial<Omit<TurnwireProviderProps, "children">> {
  readonly server?: TestServer;
  readonly sessionId?: string;
}

/** A page in strict mode that follows a new session of a real server, or one that is there. */
export async function openPage(content: ReactNode, options: PageOptions = {}): Promise<Page> {
  const { server: given, ...rest } = options;
  const server = given ?? (await startServer());
  const client = rest.client ?? server.createClient();
  const sessionId = rest.sessionId ?? (await client.sessions.create()).session_id;
  const page = render(
    <StrictMode>
      <TurnwireProvider {...rest} client={client}>
        <SessionProvider sessionId={sessionId}>{content}</SessionProvider>
      </TurnwireProvider>
    </StrictMode>,
    { onCaughtError: () => {} },
  );
  onTestFinished(() => page.unmount());
  return { ...page, server, client, sessionId };
}
