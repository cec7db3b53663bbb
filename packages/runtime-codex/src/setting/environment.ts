import { childEnvironment } from "@turnwire/runtime/process";
import type { CodexOptions } from "./options.ts";

/** What of the server's own environment Codex and its commands may see. */
const inherited = `
  PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TERM TZ TMPDIR TEMP TMP
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
  SYSTEMROOT APPDATA LOCALAPPDATA USERPROFILE COMSPEC PATHEXT
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
  SSL_CERT_FILE SSL_CERT_DIR CODEX_CA_CERTIFICATE SSH_AUTH_SOCK
  OPENAI_API_KEY CODEX_API_KEY OPENAI_ORGANIZATION OPENAI_PROJECT RUST_LOG
`
  .trim()
  .split(/\s+/);

/** Codex's whole environment. */
export function codexEnvironment({
  home,
  env,
}: Pick<CodexOptions, "home" | "env">): Record<string, string> {
  return childEnvironment(inherited, { ...env, CODEX_HOME: home });
}
