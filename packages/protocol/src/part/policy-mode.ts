import * as z from "zod";

/** The name of a policy mode, as a session chooses it. */
export const PolicyModeName = z.string().min(1).max(100);
