/** The host of an address as programs take it; undefined where it is not clear. */
export function hostOf(address: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  try {
    const url = new URL(text);
    // Parts that one parser drops or rewrites may lead elsewhere with another.
    if (/[\s\\@]/.test(address) || url.username !== "" || url.hostname === "") return undefined;
    const host = url.hostname.toLowerCase();
    return address.toLowerCase().includes(host) ? host.replace(/\.$/, "") : undefined;
  } catch {
    return undefined;
  }
}

export function isLocalHost(host: string): boolean {
  return /^(?:localhost|[a-z0-9-]+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|::1)$/.test(
    host,
  );
}

/** `*.example.com` fits all hosts below it. */
export function fitsHost(host: string, pattern: string): boolean {
  const name = pattern.toLowerCase();
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name;
}
