/** The header in which a page of the server sends its key; the login cookie alone is not enough. */
export const pageKeyHeader = "turnwire-page-key";

/** The beginning of the WebSocket subprotocol that carries a page's key. */
export const pageKeyProtocol = "page-key.";

/** The start of the name in `localStorage` under which a page keeps its key; the path of the server's root follows. */
export const pageKeyStorage = "turnwire_page_key:";
