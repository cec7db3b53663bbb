import { createRegistry } from "@turnwire/react";

/** The components that agents may show in this app, by the name agents use. */
export const surfaceRegistry = createRegistry({});
