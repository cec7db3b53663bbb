import { exitCode } from "../error/cli-error.ts";
import { defineCommand } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { clientFor, findServer, noServer } from "../connection/server-address.ts";

export const login = defineCommand({
  name: "login",
  summary: "Print a link that logs a browser in",
  usage: ["login [--name NAME] [--json]"],
  details:
    "The link works once, within ten minutes. Anyone who opens it can do everything you can: do not share it. A log-in ends after 7 days without use, or when you revoke it: see turnwire logins. With --json one object is printed: {login_url}.",
  maxPositionals: 0,
  examples: [
    { command: "turnwire login", meaning: "Open what it prints in a browser" },
    { command: 'turnwire login --name "My phone"', meaning: "Recognize it in turnwire logins" },
  ],
  async run(invocation) {
    const { values, env, stdout } = invocation;
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const connection = await findServer({ url: values.url, dataDirectory, env });
    if (!connection) throw noServer(dataDirectory);
    const link = values.name === undefined ? {} : { name: values.name };
    const { path } = await clientFor(connection).loginLink(link);
    const loginUrl = `${connection.url.replace(/\/$/, "")}${path}`;
    stdout.write(values.json ? `${JSON.stringify({ login_url: loginUrl })}\n` : `${loginUrl}\n`);
    return exitCode.ok;
  },
});
