import { Window } from "happy-dom";

// A page for React, without the parts that would replace Node's own: the server of a test lives here too.
const window = new Window({ url: "http://page.test/" });
const { document, navigator } = window;
for (const [name, value] of Object.entries({ window, document, navigator })) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** The testing library, loaded now that there is a page: React looks for one when it is loaded. */
export const { act, fireEvent, render, waitFor } = await import("@testing-library/react");
