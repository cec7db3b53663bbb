import { existsSync } from "node:fs";
import { childEnvironment } from "@turnwire/runtime/process";

/** What of the server's own environment the CLI and its tools may see. */
const inherited = `
  PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TERM TZ TMPDIR TEMP TMP
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
  SYSTEMROOT APPDATA LOCALAPPDATA USERPROFILE COMSPEC PATHEXT
  HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR SSH_AUTH_SOCK
  ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN ANTHROPIC_BASE_URL ANTHROPIC_CUSTOM_HEADERS
  ANTHROPIC_MODEL ANTHROPIC_SMALL_FAST_MODEL API_TIMEOUT_MS
  CLAUDE_CODE_OAUTH_TOKEN CLAUDE_CONFIG_DIR CLAUDE_CODE_TMPDIR CLAUDE_CODE_MAX_RETRIES
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC DISABLE_TELEMETRY DISABLE_ERROR_REPORTING IS_SANDBOX
  CLAUDE_CODE_USE_BEDROCK ANTHROPIC_BEDROCK_BASE_URL AWS_REGION AWS_PROFILE AWS_ACCESS_KEY_ID
  AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_BEARER_TOKEN_BEDROCK
  CLAUDE_CODE_USE_VERTEX ANTHROPIC_VERTEX_BASE_URL ANTHROPIC_VERTEX_PROJECT_ID CLOUD_ML_REGION
  GOOGLE_APPLICATION_CREDENTIALS
`
  .trim()
  .split(/\s+/);

/** The shell that policies read: the CLI would run commands in the person's own, such as zsh. */
const bash = "/bin/bash";

/** What a runtime adds to the CLI's environment. */
export interface Environment {
  readonly env?: Readonly<Record<string, string>>;
}

/** The CLI's whole environment; `extra` goes first. */
export function claudeEnvironment(
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return childEnvironment(inherited, {
    // Reports when the agent is idle: a turn may have several results.
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
    DISABLE_AUTOUPDATER: "1",
    ...(existsSync(bash) && { SHELL: bash }),
    ...extra,
  });
}
