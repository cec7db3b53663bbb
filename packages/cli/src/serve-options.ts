import { delimiter } from "node:path";
import { dataOption, jsonOption } from "./configuration.ts";
import { hostingOptions } from "./hosting.ts";
import { logLevels } from "./log/level.ts";
import { choiceOption, flagOption, integerOption, listOption, textOption } from "./option.ts";

/** What `turnwire serve` can be given, each also as a variable and in the configuration file. */
export const serveOptions = {
  host: textOption({
    argument: "HOST",
    variable: "TURNWIRE_HOST",
    fallback: "127.0.0.1",
    description: "The address to listen on",
  }),
  port: integerOption({
    argument: "PORT",
    variable: "TURNWIRE_PORT",
    least: 0,
    most: 65_535,
    preset: 4747,
    description: "The port to listen on; 0 takes a free one",
  }),
  data: dataOption,
  config: textOption({
    argument: "FILE",
    variable: "TURNWIRE_CONFIG",
    description:
      "A configuration file (default: turnwire.config.json or .ts in the data directory, if there is one)",
  }),
  store: textOption({
    argument: "STORE",
    variable: "TURNWIRE_STORE",
    fallback: "sqlite",
    description:
      "Where logs are stored: sqlite (a file in the data directory), memory, postgres://user@host/database (any number of hosts can share it; put the password in PGPASSWORD), or postgres (starts a Postgres server in the data directory, to try it)",
  }),
  durability: choiceOption({
    argument: "LEVEL",
    variable: "TURNWIRE_DURABILITY",
    choices: ["durable", "fast"],
    preset: "durable",
    description:
      "With --store sqlite: durable survives a power failure, fast only a crash of the process",
  }),
  runtime: textOption({
    argument: "NAME",
    variable: "TURNWIRE_RUNTIME",
    description:
      "The runtime of sessions that do not name one (default: the first that is connected, else demo)",
  }),
  root: listOption({
    argument: "DIR",
    variable: "TURNWIRE_ROOT",
    separator: delimiter,
    description:
      "Let agents work only in this directory; repeatable (default: in the projects that you add)",
  }),
  trust: listOption({
    argument: "DIR",
    variable: "TURNWIRE_TRUST",
    separator: delimiter,
    description:
      "Let this directory's own files configure its agents, as they are now; repeatable (see: turnwire help trust)",
  }),
  "policy-mode": textOption({
    argument: "MODE",
    variable: "TURNWIRE_POLICY_MODE",
    description:
      "The policy mode of sessions that do not name one, such as implementation (default: none; see: turnwire policy modes)",
  }),
  "no-user-settings": flagOption({
    variable: "TURNWIRE_NO_USER_SETTINGS",
    description: "Leave out your own settings in ~/.claude and ~/.codex",
  }),
  ring: integerOption({
    argument: "N",
    variable: "TURNWIRE_RING",
    least: 1,
    description: "Events kept in memory per session, the newest ones (default: 1000)",
  }),
  retain: integerOption({
    argument: "N",
    variable: "TURNWIRE_RETAIN",
    least: 1,
    description:
      "Events kept in the log per session; older ones are removed (default: all, with --store memory 10000)",
  }),
  idle: integerOption({
    argument: "MS",
    variable: "TURNWIRE_IDLE",
    least: 1,
    description: "Milliseconds without use after which a session stops its agent (default: 300000)",
  }),
  "max-live": integerOption({
    argument: "N",
    variable: "TURNWIRE_MAX_LIVE",
    least: 1,
    description: "How many agents may run at once (default: 16)",
  }),
  "max-live-shared": integerOption({
    argument: "N",
    variable: "TURNWIRE_MAX_LIVE_SHARED",
    least: 1,
    description:
      "How many agents may run at once across all hosts of the store (default: no limit)",
  }),
  ...hostingOptions,
  "webkit-replay": choiceOption({
    argument: "FROM",
    variable: "TURNWIRE_WEBKIT_REPLAY",
    choices: ["store", "ring"],
    preset: "store",
    description:
      "Where agent-webkit clients resume from: the log (store), or only what --ring keeps (ring)",
  }),
  "allow-origin": listOption({
    argument: "URL",
    variable: "TURNWIRE_ALLOW_ORIGIN",
    separator: ",",
    description: "Another site whose pages may use the server; repeatable",
  }),
  "allow-host": listOption({
    argument: "NAME",
    variable: "TURNWIRE_ALLOW_HOST",
    separator: ",",
    description: "Another host name of the server; repeatable",
  }),
  "trusted-proxy": listOption({
    argument: "ADDRESS",
    variable: "TURNWIRE_TRUSTED_PROXY",
    separator: ",",
    description:
      "The address of a proxy, or a network of proxies, whose X-Forwarded-For names the client; repeatable",
  }),
  "no-auth": flagOption({
    variable: "TURNWIRE_NO_AUTH",
    description: "Accept every request from this machine; only on a loopback address",
  }),
  "log-level": choiceOption({
    argument: "LEVEL",
    variable: "TURNWIRE_LOG_LEVEL",
    choices: logLevels,
    preset: "info",
    description: "How much goes to the log on standard error: debug, info, warn, error or silent",
  }),
  json: jsonOption,
};
