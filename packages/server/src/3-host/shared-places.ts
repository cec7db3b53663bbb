import { hostname } from "node:os";
import { type Clock, systemClock } from "@turnwire/base";
import type { Store } from "@turnwire/log";
import {
  ProjectRecord,
  type ProjectStore,
  TrustRecord,
  type TrustStore,
} from "@turnwire/workspace";
import { createSharedList, sharingOf } from "@turnwire/log/list";

export interface SharedPlacesOptions {
  /** As of the session host: hosts with the same name see the same directories. */
  readonly storage?: string;
  readonly clock?: Clock;
  readonly onError: (error: unknown) => void;
}

/** The projects that were added and the directories that are trusted, for all hosts of a store that see the same directories. */
export function createSharedPlaces(
  store: Pick<Store, "isShared" | "values" | "watch">,
  { storage = hostname(), clock = systemClock, onError }: SharedPlacesOptions,
): { readonly projects: ProjectStore; readonly trust: TrustStore } {
  const sharing = sharingOf(store);
  const name = encodeURIComponent(storage);
  return {
    projects: createSharedList(sharing, {
      key: `projects/${name}`,
      item: ProjectRecord,
      damaged: "The list of projects in the store is damaged: add the projects again.",
      clock,
      onError,
    }),
    trust: createSharedList(sharing, {
      key: `trust/${name}`,
      item: TrustRecord,
      damaged: "The list of trusted directories in the store is damaged: none is trusted.",
      clock,
      onError,
    }),
  };
}
