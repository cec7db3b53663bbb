import { entryOf, type CatalogEntry } from "@turnwire/protocol";
import { clientErrorFrom, type ClientError } from "../5-connection/client-error.ts";
import type { Session } from "../6-session/session.ts";

/** offering: the agent does not know of it yet; offered: it is in the session's catalog; refused: it is not, see `error`. */
export type OfferState =
  | { readonly status: "offering" }
  | { readonly status: "offered" }
  | { readonly status: "refused"; readonly error: ClientError };

export const offering: OfferState = { status: "offering" };

/**
 * Puts a component into the session's catalog, so that the agent can show it, where it is not there already.
 * The catalog keeps it when the answer is called: another page may show it.
 */
export function offerComponent(
  session: Session,
  entry: CatalogEntry,
  onChange: (state: OfferState) => void,
): () => void {
  const abort = session.platform.createAbort();
  const { signal } = abort;
  const offer = async (): Promise<OfferState> => {
    // React's strict mode starts, stops and starts again in one go: only the last one gets to work.
    await Promise.resolve();
    if (signal.aborted) return offering;
    const { session: state } = await session.waitFor(isLoaded, { signal });
    if (isSameEntry(entryOf(state.catalog, entry.name), entry)) return { status: "offered" };
    await session.execute({ type: "add_to_catalog", entries: [entry] }, { signal });
    return { status: "offered" };
  };
  const report = (state: OfferState): void => {
    if (!signal.aborted) onChange(state);
  };
  offer().then(report, (thrown: unknown) =>
    report({ status: "refused", error: clientErrorFrom(thrown) }),
  );
  return () => abort.abort();
}

function isLoaded({ session }: ReturnType<Session["getState"]>): boolean {
  return session.session.session_id !== "";
}

function isSameEntry(known: CatalogEntry | undefined, entry: CatalogEntry): boolean {
  return known !== undefined && isSameJson(known, entry);
}

/** The order of the members does not matter. */
function isSameJson(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
