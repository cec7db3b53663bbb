import { defined } from "@turnwire/base";
import { type CodexRuntimeOptions, codexExec, codex } from "@turnwire/runtime-codex";
import { claudeCli, claude } from "@turnwire/runtime-claude";
import { demo } from "@turnwire/runtime/demo";
import type { Runtime } from "@turnwire/runtime";
import { runDefaultsFrom } from "@turnwire/server/standalone";
import { join } from "node:path";
import { defaultsOf } from "../configuration/session-defaults.ts";
import type { RuntimePlace } from "../program/context.ts";

/** The runtimes that this version has built in. */
export function createRuntimes(place: RuntimePlace): readonly Runtime[] {
  const { registry, logger, defaults = {}, usesUserSettings = false } = place;
  const ofCodex = codexOptions(place);
  const { url, token } = defaults.runtimes?.codex ?? {};
  const remote = defined({ url, token });
  const settingSources = usesUserSettings ? (["user"] as const) : [];
  const privatePaths = [place.dataDirectory];
  const cli = { settingSources, privatePaths, ...defined({ registry, logger }) };
  const ofSdk = { warmProcesses: 1, ...cli };
  return [
    demo(),
    configured((options) => claude({ ...ofSdk, ...options }), defaultsOf(defaults, "claude")),
    configured(
      (options) => codex({ ...ofCodex, ...remote, ...options }),
      defaultsOf(defaults, "codex"),
    ),
    configured(
      (options) => codexExec({ ...ofCodex, ...options }),
      defaultsOf(defaults, "codex-exec"),
    ),
    configured((options) => claudeCli({ ...cli, ...options }), defaultsOf(defaults, "claude-cli")),
  ];
}

type Defaults = Pick<CodexRuntimeOptions, "model" | "defaults">;

/** What a runtime supports is known once there is one. */
function configured(
  create: (options: Defaults) => Runtime,
  { model, ...session }: ReturnType<typeof defaultsOf>,
): Runtime {
  const plain = create({});
  const defaults = runDefaultsFrom(session, plain.capabilities);
  const isPlain = model === undefined && Object.keys(defaults).length === 0;
  return isPlain ? plain : create({ defaults, ...(model !== undefined && { model }) });
}

/** Codex gets a home of its own, unless CODEX_HOME names the one to share. */
function codexOptions(place: RuntimePlace): CodexRuntimeOptions {
  const { dataDirectory, env, registry, logger, usesUserSettings = false } = place;
  const shared = env["CODEX_HOME"];
  return {
    home: shared || join(dataDirectory, "codex"),
    isHomeShared: Boolean(shared),
    usesPersonalSettings: usesUserSettings,
    ...defined({ registry, logger }),
  };
}
