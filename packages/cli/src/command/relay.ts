import { defined } from "@turnwire/base";
import { CliError } from "../error/cli-error.ts";
import { defineCommand } from "../program/command.ts";
import { serverConfigurationFrom } from "../configuration/configuration.ts";
import { settings } from "../option/option-table.ts";
import { serveUntilStopped } from "../server/serving.ts";

export const relay = defineCommand({
  name: "relay",
  summary: "Let Claude CLIs dial in, and front ends follow them",
  usage: ["relay [options]"],
  details:
    "Opens a relay on this machine, and with it a server for the same sessions, so that the web app and every client have them too. A Claude CLI up to version 2.1.120 dials in with --sdk-url ws://127.0.0.1:PORT and the token in CLAUDE_CODE_SESSION_ACCESS_TOKEN; newer ones refuse that, and run as sessions of the runtime claude-cli. Front ends such as agents-ui connect to ws://127.0.0.1:PORT/ws and see every live session, whatever its agent; one that cannot send a token needs --no-auth. A server that runs already opens a relay of its own with: turnwire serve --relay. TURNWIRE_PORT is the port of the server, --port that of the relay.",
  maxPositionals: 0,
  examples: [
    { command: "turnwire relay", meaning: "Open a relay, on port 8765 where that is free" },
    {
      command: "turnwire relay --no-auth --allow-origin https://agents.example",
      meaning: "For a front end on another site that sends no token",
    },
    { command: "turnwire relay --auto-approve", meaning: "Nothing is asked: for a VM" },
  ],
  async run({ values, ...context }) {
    const variable = context.env["TURNWIRE_PORT"];
    const named =
      variable === undefined ? undefined : settings.port.read([variable], "TURNWIRE_PORT");
    const configured = named ?? context.configFile?.config.port;
    const usual = settings.port.read([], "--port");
    const { port: relayPort, "auto-approve": isAutoApproving } = values;
    const server = { ...values, host: "127.0.0.1", port: configured ?? usual };
    try {
      return await serveUntilStopped(context, {
        configuration: await serverConfigurationFrom(server, context),
        logLevel: values["log-level"],
        isJson: values.json,
        takesAnyPort: configured === undefined,
        relay: { isAutoApproving, ...defined({ port: relayPort }) },
      });
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== "data_in_use") throw error;
      const message = `${error.message} A server that runs opens a relay of its own: turnwire serve --relay.`;
      throw new CliError("data_in_use", message, { cause: error });
    }
  },
});
