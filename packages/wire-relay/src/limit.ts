const MIB = 1024 * 1024;

/** A line in either direction; a longer one is refused or dropped, and the connection stays. */
export const MAX_LINE_BYTES = 16 * MIB;
/** A frame that is larger than this ends its connection. */
export const MAX_FRAME_BYTES = 64 * MIB;
/** What a session so far may take in memory until its reader has taken it. */
export const MAX_OPENING_BYTES = 64 * MIB;
/** The lines of a CLI that its session has not taken yet; beyond that the CLI waits. */
export const MAX_WAITING_BYTES = 32 * MIB;

/** How much of a conversation is kept for front ends that come late; the session's log has all of it. */
export const MAX_CHANNEL_BYTES = 64 * MIB;

/** A front end that follows more sessions leaves the one that has been silent for longest. */
export const MAX_FOLLOWED = 100;
/** The ports that are tried where none is named: front ends look for relays there. */
export const FIRST_PORT = 8765;
export const LAST_PORT = 8864;
