import { createClient } from "@turnwire/client";
import { TurnwireProvider } from "@turnwire/react";
import { useState } from "react";
import { SessionMemories, SessionMemoriesContext } from "../feature/session/session-memory.ts";
import { SessionsProvider } from "../feature/session/sessions.tsx";
import { ComponentLoading } from "../feature/surface/component-status.tsx";
import { surfaceRegistry } from "../feature/surface/registry.tsx";
import { ProjectsProvider } from "../feature/project/projects.tsx";
import { RelaysProvider } from "../feature/relay/relays.tsx";
import { Frame } from "./frame.tsx";
import { LoginPage } from "../feature/login/login-page.tsx";
import { useLogoutReason, watchingFetch, watchingWebSocket } from "../feature/login/login-state.ts";
import { appRoot } from "../feature/navigation/navigation.ts";

/**
 * Streams go over WebSocket, because browsers allow only six plain connections per server for all tabs together,
 * and as server-sent events where a proxy refuses WebSockets.
 */
const client = createClient({
  url: appRoot,
  fetch: watchingFetch,
  createWebSocket: watchingWebSocket,
  transport: "auto",
});

export function App() {
  const reason = useLogoutReason();
  return reason ? <LoginPage reason={reason} /> : <LoggedInApp />;
}

function LoggedInApp() {
  const [memories] = useState(() => new SessionMemories());
  return (
    <TurnwireProvider client={client} registry={surfaceRegistry} loading={ComponentLoading}>
      <SessionsProvider>
        <ProjectsProvider>
          <RelaysProvider>
            <SessionMemoriesContext value={memories}>
              <Frame />
            </SessionMemoriesContext>
          </RelaysProvider>
        </ProjectsProvider>
      </SessionsProvider>
    </TurnwireProvider>
  );
}
