const defaultMinutes = process.env["TURNWIRE_SOAK"] === "1" ? 5 : 0;

/** How long `npm run soak` plays new histories; 0 otherwise: only those that are always the same. */
export const soakMinutes = Number(process.env["TURNWIRE_SOAK_MINUTES"] ?? defaultMinutes);
