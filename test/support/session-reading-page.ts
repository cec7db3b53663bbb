/** Lets a page's test read a session from within the page. */
import { readSession } from "./session-reading.ts";

Object.assign(globalThis, { readSession });
