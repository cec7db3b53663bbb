import { createHash } from "node:crypto";
import { pageKeyHeader, pageKeyStorage } from "@turnwire/protocol";
import { escapeHtml } from "./escape-html.ts";

/** A page with the policy that lets exactly its own script and style run. */
export interface Page {
  readonly text: string;
  readonly policy: string;
}

const style = `
  :root { color-scheme: light dark; --ink: #1c1b1a; --soft: #6b6762; --paper: #faf8f5; --card: #fff; --line: #e6e1da; --accent: #b4552d; }
  @media (prefers-color-scheme: dark) { :root { --ink: #ece8e2; --soft: #a19b93; --paper: #171614; --card: #201e1c; --line: #34312d; --accent: #e58a5f; } }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; display: grid; place-items: start center; padding: 12vh 1.25rem 4rem; }
  main { width: 100%; max-width: 40rem; }
  h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .25rem; letter-spacing: -.02em; }
  h1 span { color: var(--accent); }
  h2 { font-size: 1rem; margin: 0 0 .75rem; }
  p { margin: 0 0 1rem; color: var(--soft); }
  section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin-top: 1.25rem; }
  pre { margin: 0; overflow-x: auto; }
  code { font: 14px/1.7 ui-monospace, monospace; }
  ul { list-style: none; margin: 0; padding: 0; }
  li { display: flex; gap: 1rem; justify-content: space-between; padding: .5rem 0; border-top: 1px solid var(--line); }
  li:first-child { border-top: 0; padding-top: 0; }
  li:last-child { padding-bottom: 0; }
  .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .state { color: var(--soft); white-space: nowrap; }
`;

/** Text from the server only ever becomes text nodes. */
const welcomeScript = (cliOptions: string) => `
  const box = document.getElementById("sessions");
  const show = (...nodes) => box.replaceChildren(...nodes);
  const make = (tag, text, name) => {
    const node = document.createElement(tag);
    node.textContent = text;
    if (name) node.className = name;
    return node;
  };
  const commands = (...lines) => {
    const pre = document.createElement("pre");
    pre.append(make("code", lines.join("\\n")));
    return pre;
  };
  const row = (session) => {
    const item = document.createElement("li");
    item.append(
      make("span", session.title || session.session_id, "name"),
      make("span", session.runtime + " \\u00b7 " + session.activity, "state"),
    );
    return item;
  };
  const load = async () => {
    const root = new URL("./", location.href);
    const key = localStorage.getItem(${JSON.stringify(pageKeyStorage)} + root.pathname);
    const headers = { accept: "application/json" };
    if (key) headers[${JSON.stringify(pageKeyHeader)}] = key;
    const answer = await fetch("./sessions?limit=20", { headers });
    if (answer.status === 401) {
      const { error } = await answer.json();
      const isAgain = error.details !== undefined;
      show(
        make("h2", isAgain ? "Log in again" : "Log in"),
        make("p", (isAgain ? "The log-in of this browser has ended, or is incomplete." : "This browser is not logged in.") + " Ask for a login link in a terminal on the machine where Turnwire runs, then open it here:"),
        commands(${scriptText(commandLine("login", cliOptions))}),
      );
      return;
    }
    if (!answer.ok) throw new Error("status " + answer.status);
    const { sessions } = await answer.json();
    const list = document.createElement("ul");
    list.append(...sessions.map(row));
    if (sessions.length > 0) show(make("h2", "Sessions"), list);
    else show(make("h2", "Sessions"), make("p", "None yet. Start one in a terminal:"), commands(${scriptText(commandLine("chat", cliOptions))}));
  };
  load().catch(() => show(make("h2", "Sessions"), make("p", "The server did not answer. Reload the page to try again.")));
`;

/** The pages of a server that say what to type in a terminal. */
export interface TerminalPages {
  readonly welcome: Page;
  readonly login: Page;
  readonly loginFailed: Page;
}

/** `cliOptions` is what commands need beside their name to reach this server. */
export function createPages(cliOptions: string): TerminalPages {
  return {
    welcome: welcomePage(cliOptions),
    login: loginPage(cliOptions),
    loginFailed: loginFailedPage(cliOptions),
  };
}

function commandLine(name: string, cliOptions: string): string {
  return `npx turnwire ${name}${cliOptions && ` ${cliOptions}`}`;
}

/** A text inside a script that is inside a page. */
function scriptText(text: string): string {
  return JSON.stringify(text).replaceAll("<", String.raw`\u003c`);
}

const commands = [
  ["chat", "talk to an agent"],
  ["sessions", "see what runs"],
  ["doctor", "see what is missing"],
] as const;

function commandTable(cliOptions: string): string {
  const lines = commands.map(([name, use]) => [commandLine(name, cliOptions), use] as const);
  const width = Math.max(...lines.map(([line]) => line.length));
  return lines.map(([line, use]) => `${line.padEnd(width)}  ${use}`).join("\n");
}

const welcomePage = (cliOptions: string): Page =>
  page(
    "Turnwire",
    `<h1>Turnwire <span>runs</span></h1>
    <p>Coding agents as durable sessions: one ordered log, any number of clients.</p>
    <section><h2>In a terminal</h2><pre><code>${escapeHtml(commandTable(cliOptions))}</code></pre></section>
    <section id="sessions" aria-live="polite"><h2>Sessions</h2><p>Loading…</p></section>`,
    welcomeScript(cliOptions),
  );

/**
 * Redeems the code in its own address. The answer's key goes to the storage of this origin, which
 * includes the port: the cookie alone, which every port of the host receives, is nothing.
 */
const loginScript = `
  const root = new URL("../", location.href);
  const name = ${JSON.stringify(pageKeyStorage)} + root.pathname;
  const fail = (id) => {
    document.getElementById("busy").hidden = true;
    document.getElementById(id).hidden = false;
  };
  const stored = () => {
    try {
      // Tried under another name: tabs that wait for a key see the real one only.
      localStorage.setItem(name + ":trial", "");
      localStorage.removeItem(name + ":trial");
      return { key: localStorage.getItem(name) };
    } catch {
      return undefined;
    }
  };
  const logIn = async ({ key }) => {
    const headers = { accept: "application/json" };
    if (key) headers[${JSON.stringify(pageKeyHeader)}] = key;
    const answer = await fetch(location.pathname, { method: "POST", headers });
    if (!answer.ok) return fail("used");
    localStorage.setItem(name, (await answer.json()).page_key);
    location.replace(root);
  };
  const before = stored();
  if (before) logIn(before).catch(() => fail("away"));
  else fail("blocked");
`;

const askForLink =
  "A login link is good once and for ten minutes. Ask for a new one in a terminal on the machine where Turnwire runs:";
const loginCommand = (cliOptions: string): string =>
  `<section><pre><code>${escapeHtml(commandLine("login", cliOptions))}</code></pre></section>`;

const loginPage = (cliOptions: string): Page =>
  page(
    "Turnwire: log in",
    `<div id="busy"><h1>Logging in…</h1><noscript><p>This page needs JavaScript to log the browser in.</p></noscript></div>
    <div id="used" role="alert" hidden><h1>This link no longer works</h1><p>${askForLink}</p>${loginCommand(cliOptions)}</div>
    <div id="blocked" role="alert" hidden><h1>This browser stores nothing for this page</h1><p>Turnwire keeps one half of a log-in in the browser's storage for this page. Allow site data for it, then reload.</p></div>
    <div id="away" role="alert" hidden><h1>The server did not answer</h1><p>Reload the page to try again.</p></div>`,
    loginScript,
  );

const loginFailedPage = (cliOptions: string): Page =>
  page(
    "Turnwire: login link",
    `<h1>This link no longer works</h1>
    <p>${askForLink}</p>
    ${loginCommand(cliOptions)}`,
  );

function page(title: string, body: string, code?: string): Page {
  const text = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <main>${body}</main>${
      code === undefined
        ? ""
        : `
    <script>${code}</script>`
    }
  </body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    ...(code === undefined ? [] : [`script-src ${hashOf(code)}`, "connect-src 'self'"]),
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { text, policy };
}

function hashOf(inline: string): string {
  return `'sha256-${createHash("sha256").update(inline).digest("base64")}'`;
}
