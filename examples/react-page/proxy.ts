import type { ProxyOptions } from "vite";

/**
 * Passes the page's calls on to Turnwire and adds the credential on the way, as the backend of a
 * product does: the browser never sees a token.
 */
export function proxyTo({ url, token }: { readonly url: string; readonly token: string }) {
  const target: ProxyOptions = {
    target: url,
    ws: true,
    changeOrigin: true,
    headers: { authorization: `Bearer ${token}`, origin: url },
  };
  return { "/sessions": target, "/watch": target };
}
