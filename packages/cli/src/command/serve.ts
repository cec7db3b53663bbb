import { defined } from "@turnwire/base";
import { defineCommand } from "../program/command.ts";
import { serverConfigurationFrom } from "../configuration/configuration.ts";
import { serveUntilStopped } from "../server/serving.ts";
import { isPasswordVisible } from "../configuration/store-choice.ts";

export const serve = defineCommand({
  name: "serve",
  summary: "Start the server (the default command)",
  usage: ["serve [options]", "[options]"],
  details:
    "Listens on this machine only, unless --host names another address. The token is in TURNWIRE_TOKEN, or in the file token of the data directory, which only you can read. With --json, standard output gets exactly one line when the server is ready; everything else goes to standard error.",
  maxPositionals: 0,
  examples: [
    { command: "turnwire", meaning: "Serve on http://127.0.0.1:4747" },
    { command: "turnwire serve --root ~/code --root ~/notes", meaning: "Let agents work there" },
    {
      command: "turnwire serve --port 0 --store memory --json",
      meaning: "For tests: a free port, nothing stored, one line of JSON",
    },
  ],
  async run({ values, ...context }) {
    const { store } = values;
    const given = {
      variable: context.env["TURNWIRE_STORE"],
      file: context.configFile?.config.store,
    };
    if (isPasswordVisible(store, given)) {
      context.stderr.write(
        "turnwire: Everybody on this machine can read the password of --store in the list of processes: set TURNWIRE_STORE or PGPASSWORD instead.\n",
      );
    }
    return serveUntilStopped(context, {
      configuration: await serverConfigurationFrom(values, context),
      logLevel: values["log-level"],
      isJson: values.json,
      ...(values.relay && { relay: defined({ port: values["relay-port"] }) }),
    });
  },
});
