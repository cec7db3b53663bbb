import { defined, isObject } from "@turnwire/base";
import {
  accepted,
  type Control,
  type CreateSession,
  initialControl,
  type Principal,
  type Result,
  validate,
  type SettingCommand,
} from "@turnwire/protocol";
import type { OpenSession, WireHost } from "@turnwire/wire";
import { kitRejected } from "./dialect/command.ts";
import {
  creationFrom,
  DEFAULT_THINKING,
  effortFrom,
  foreignOptions,
  KitOptions,
  mergedOptions,
  settingsOf,
  shownOptions,
} from "./dialect/option.ts";

/** What a client wants to change: what the connection remembers, and the commands for its session. */
export interface KitOptionsChange {
  readonly options: KitOptions;
  readonly commands: readonly SettingCommand[];
}

/** The options of a connection's next session, and what a client may change of its present one. */
export class KitOptionsDraft {
  readonly emptyControl: Control = initialControl();
  readonly #host: WireHost;
  readonly #runtime: string | undefined;
  #options: KitOptions = {};

  constructor(host: WireHost, runtime: string | undefined) {
    this.#host = host;
    this.#runtime = runtime;
  }

  get hasPartialMessages(): boolean {
    return this.#options.includePartialMessages ?? false;
  }

  /** As `session_state_changed` shows them while there is no session. */
  get settings(): object {
    const { permissionMode = "default", thinkingLevel = DEFAULT_THINKING } = this.#options;
    return { options: shownOptions(this.#options), permissionMode, thinkingLevel };
  }

  /** The settings of a session, with what is the connection's own. */
  settingsWith({ control }: OpenSession): object {
    const { includePartialMessages } = this.#options;
    return settingsOf(control, defined({ includePartialMessages }));
  }

  /** All or nothing: one option that a client may not set refuses the others too. */
  async parse(
    input: unknown,
    session: OpenSession | undefined,
    principal: Principal,
  ): Promise<Result<KitOptionsChange>> {
    if (!isObject(input)) return kitRejected("invalid_options", "options must be an object.");
    const foreign = foreignOptions(input);
    if (foreign.length > 0) {
      const names = foreign.map((name) => name.slice(0, 100)).join(", ");
      const known = Object.keys(KitOptions.shape).join(", ");
      const message = `Clients may not set ${names}: only ${known}.`;
      return kitRejected("option_not_allowed", message);
    }
    const options = validate(KitOptions, input);
    if (!options.ok) return options;
    const { cwd } = options.value;
    const present = session?.control.session;
    if (present && cwd !== undefined && cwd !== present.cwd) {
      return kitRejected("option_fixed", "cwd cannot change after the conversation has begun.");
    }
    if (!present) {
      const merged = mergedOptions(this.#options, options.value);
      const possible = await this.#host.checkCreation(await this.#creationFrom(merged), principal);
      if (!possible.ok) return possible;
    }
    return accepted({
      options: options.value,
      commands: present ? commandsFrom(options.value, present.capabilities.efforts) : [],
    });
  }

  /** Remembers options; true when messages come in another form from now on. */
  apply(options: KitOptions): boolean {
    const hadPartialMessages = this.hasPartialMessages;
    this.#options = mergedOptions(this.#options, options);
    return hadPartialMessages !== this.hasPartialMessages;
  }

  creation(): Promise<CreateSession> {
    return this.#creationFrom(this.#options);
  }

  async #creationFrom(options: KitOptions): Promise<CreateSession> {
    const runtime = this.#runtime;
    const efforts = options.thinkingLevel === undefined ? [] : await this.#efforts();
    return { ...creationFrom(options, efforts), ...defined({ runtime }) };
  }

  async #efforts(): Promise<readonly string[]> {
    const runtimes = await this.#host.runtimes();
    const chosen = runtimes.find(({ name, is_default }) =>
      this.#runtime === undefined ? is_default : name === this.#runtime,
    );
    return chosen?.capabilities.efforts ?? [];
  }
}

function commandsFrom(options: KitOptions, efforts: readonly string[]): SettingCommand[] {
  const { model, permissionMode, thinkingLevel } = options;
  return [
    ...(model === undefined ? [] : [{ type: "set_model" as const, model }]),
    ...(permissionMode === undefined
      ? []
      : [{ type: "set_permission_mode" as const, mode: permissionMode }]),
    ...(thinkingLevel === undefined
      ? []
      : [{ type: "set_effort" as const, effort: effortFrom(thinkingLevel, efforts) }]),
  ];
}
