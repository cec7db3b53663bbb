import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface CodexHomeOptions {
  /** Top-level settings and tables in TOML, after which `[features]` follows. */
  readonly settings?: string;
  /** Further lines of the table `[features]`. */
  readonly features?: string;
  /** The model's name chooses the tools that Codex offers it; gpt-5.5 has them all. */
  readonly model?: string;
}

/** Where Codex keeps everything, set up to speak with the stand-in alone. */
export interface CodexHome {
  readonly path: string;
  /** Variables for the environment of Codex. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Makes a CODEX_HOME in a directory. Codex refuses its helper programs where its home is within
 * the temporary directory, so it gets another one.
 */
export async function codexHome(
  directory: string,
  standin: { readonly url: string },
  options: CodexHomeOptions = {},
): Promise<CodexHome> {
  const path = join(directory, "codex-home");
  const temporary = join(directory, "codex-tmp");
  await mkdir(path, { recursive: true });
  await mkdir(temporary, { recursive: true });
  await writeFile(join(path, "config.toml"), configFor(standin.url, options));
  return { path, env: { CODEX_HOME: path, HOME: directory, TMPDIR: temporary } };
}

function configFor(url: string, options: CodexHomeOptions): string {
  const { model = "gpt-5.5", settings = "", features = "" } = options;
  return `model = "${model}"
model_provider = "standin"
${settings}

[model_providers.standin]
name = "standin"
base_url = "${url}/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = 20000

[analytics]
enabled = false

[tools.update_plan]
enabled = true

[features]
plugins = false
${features}
`;
}
