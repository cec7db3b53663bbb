import { systemClock } from "@turnwire/base";
import { CliError } from "../error/cli-error.ts";
import type { Context } from "../program/context.ts";
import type { EmbeddedServer } from "../server/embedded-server.ts";
import { type OwnServerOptions, startOwnServer } from "../server/own-server.ts";
import { type Connection, findServer, type ServerQuery } from "../connection/server-address.ts";

/** How long another command may take to start the server of this data. */
const STARTING_MS = 20_000;
const RETRY_MS = 100;

/** The server that a run uses: one that runs already, or one of its own. */
export type RunServer =
  | { readonly isOwn: false; readonly connection: Connection }
  | { readonly isOwn: true; readonly server: EmbeddedServer };

/** Finds a server or starts one; of several runs that begin at once, one starts it and the others use it. */
export async function openRunServer(
  query: ServerQuery,
  options: OwnServerOptions,
  context: Context,
): Promise<RunServer> {
  const end = systemClock.now() + STARTING_MS;
  for (;;) {
    const connection = await findServer(query);
    if (connection) return { isOwn: false, connection };
    try {
      return { isOwn: true, server: await startOwnServer(options, context) };
    } catch (error) {
      const isTaken = error instanceof CliError && error.code === "data_in_use";
      if (!isTaken || systemClock.now() >= end) throw error;
    }
    await systemClock.wait(RETRY_MS);
  }
}
