import { exitCode } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { connectionOptions, dataDirectoryFrom, jsonOption } from "../configuration.ts";
import { clientFor, findServer, noServer } from "../server-address.ts";

export const login = defineCommand({
  name: "login",
  summary: "Print a link that logs a browser in",
  usage: ["login [--json]"],
  details:
    "The link works once, within ten minutes. Whoever opens it can do everything you can: do not pass it on. With --json one object is printed: {login_url}.",
  options: { ...connectionOptions, json: jsonOption },
  maxPositionals: 0,
  examples: [{ command: "turnwire login", meaning: "Open what it prints in a browser" }],
  async run(invocation) {
    const { values, env, stdout } = invocation;
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const connection = await findServer({ url: values.url, dataDirectory, env });
    if (!connection) throw noServer(dataDirectory);
    const { path } = await clientFor(connection).loginLink();
    const loginUrl = `${connection.url.replace(/\/$/, "")}${path}`;
    stdout.write(values.json ? `${JSON.stringify({ login_url: loginUrl })}\n` : `${loginUrl}\n`);
    return exitCode.ok;
  },
});
