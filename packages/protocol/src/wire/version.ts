/** The version of the native wire; a change that an old client cannot read raises it. */
export const PROTOCOL_VERSION = "1.0";
