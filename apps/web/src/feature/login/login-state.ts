import { createStore } from "@turnwire/base";
import type { Fetch, TurnwireClient, WebSocketPort } from "@turnwire/client";
import type { WireErrorBody } from "@turnwire/protocol";
import { useStore } from "../../element/use-store.ts";
import { forgetPageKey, onPageKeyChange } from "./page-key.ts";

/**
 * Why this browser has no access. login_incomplete: it has the cookie but not the key;
 * login_ended: revoked, or not used for too long; logged_out: by the person.
 */
export type LogoutReason = "not_logged_in" | "login_incomplete" | "login_ended" | "logged_out";

/** The close code of a WebSocket whose log-in has ended. */
const UNAUTHORIZED = 4401;

const logout = createStore<LogoutReason | undefined>(undefined);
/** Another tab has logged in since this page started: an earlier request may still be refused. */
let hasNewKey = false;

/** The first refusal has the reason: later ones may be cut off by the login page. */
function noteRefusal(next: LogoutReason): void {
  if (logout.get() === undefined) logout.set(next);
}

onPageKeyChange((change) => {
  if (change === "logged_out") logout.set("logged_out");
  // The page starts again with the log-in of the other tab.
  else if (logout.get() !== undefined) location.reload();
  else hasNewKey = true;
});

/** Fetches, and shows the login page if the server answers that this browser is not logged in. */
export const watchingFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.status === 401 && logout.get() === undefined) {
    const next = await reasonFrom(response.clone());
    if (hasNewKey) location.reload();
    else noteRefusal(next);
  }
  return response;
};

/** Opens a WebSocket, and shows the login page if the server closes it because the log-in has ended. */
export function watchingWebSocket(url: string, protocols: string[]): WebSocketPort {
  const socket = new WebSocket(url, protocols);
  socket.addEventListener("close", ({ code }) => {
    if (code === UNAUTHORIZED) noteRefusal("login_ended");
  });
  return socket;
}

/** Ends the log-in on the server, then forgets this page's half of it, in all tabs. */
export async function logOut(client: TurnwireClient): Promise<void> {
  await client.logins.logOut();
  forgetPageKey();
  logout.set("logged_out");
}

/** Undefined while the browser has access. */
export function useLogoutReason(): LogoutReason | undefined {
  return useStore(logout);
}

/** The body has the documented form if the answer is the server's. */
async function reasonFrom(response: Response): Promise<LogoutReason> {
  try {
    const { error } = (await response.json()) as WireErrorBody;
    const given = error.details?.["reason"];
    return given === "login_incomplete" || given === "login_ended" ? given : "not_logged_in";
  } catch {
    return "not_logged_in";
  }
}
