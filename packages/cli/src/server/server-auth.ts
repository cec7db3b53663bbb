import { type AuthOptions, TransportError } from "@turnwire/server";
import { type Store, StoreError } from "@turnwire/log";
import {
  checkToken,
  createLoginFile,
  createTokenFile,
  loadSharedToken,
  loadToken,
} from "@turnwire/server/standalone";
import { CliError } from "../error/cli-error.ts";
import type { ServerConfiguration } from "../configuration/configuration.ts";

/** How people come in: hosts that share a store have one token and their log-ins in it. */
export async function authFor(
  configuration: ServerConfiguration,
  store: Pick<Store, "isShared" | "values">,
): Promise<AuthOptions> {
  if (configuration.isAuthOff) return { type: "off" };
  try {
    const token = await tokenFor(configuration, store);
    if (store.isShared) return { type: "token", token };
    const logins = createLoginFile(configuration.dataDirectory);
    const tokens = createTokenFile(configuration.dataDirectory);
    // The server reads them again; here a damaged file is reported before anything is open.
    await Promise.all([logins.load(), tokens.load()]);
    return { type: "token", token, logins, tokens };
  } catch (cause) {
    if (cause instanceof StoreError) {
      const message = `The store does not answer with the token: ${cause.message}.`;
      throw new CliError("store_failed", message, { cause });
    }
    if (!(cause instanceof TransportError)) throw cause;
    throw new CliError("data_unusable", `${sentence(cause.message)}.`, { cause });
  }
}

async function tokenFor(
  { token, dataDirectory }: ServerConfiguration,
  { isShared, values }: Pick<Store, "isShared" | "values">,
): Promise<string> {
  if (token !== undefined) return checkToken(token, "TURNWIRE_TOKEN");
  return isShared ? loadSharedToken(values, dataDirectory) : loadToken(dataDirectory);
}

/** A message of the server as a sentence of its own. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
