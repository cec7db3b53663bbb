import { Button } from "../../element/button.tsx";
import { Mark } from "../../element/mark.tsx";
import style from "./login-page.module.css";
import type { LogoutReason } from "./login-state.ts";

const texts: Readonly<Record<LogoutReason, { readonly title: string; readonly why: string }>> = {
  not_logged_in: {
    title: "This browser is not logged in",
    why: "Open a login link in this browser to use Turnwire.",
  },
  login_incomplete: {
    title: "Log in again",
    why: "This browser has the login cookie, but not the key that belongs to it: its storage was cleared, or it logged in with an older Turnwire.",
  },
  login_ended: {
    title: "Log in again",
    why: "This browser was logged out, or was not used for seven days.",
  },
  logged_out: {
    title: "You are logged out",
    why: "This browser no longer has access.",
  },
};

/** The server writes into the page what the command needs to reach it. */
function loginCommand(): string {
  return `npx turnwire login ${pageFact("turnwire-cli-options")}`.trim();
}

/** Explains how to log this browser in. */
export function LoginPage({ reason }: { readonly reason: LogoutReason }) {
  const { title, why } = texts[reason];
  return (
    <main className={style.page}>
      <div className={`stack gap-4 ${style.card}`}>
        <Mark size={40} />
        <h1>{title}</h1>
        <p>
          {why} Ask for a login link in a terminal on the machine where Turnwire runs, then open it
          here. It works once, for ten minutes.
        </p>
        <pre className={`frame ${style.command}`}>
          <code>{loginCommand()}</code>
        </pre>
        <Button onClick={() => location.reload()}>I've opened it, continue</Button>
      </div>
    </main>
  );
}

/** What the server has written into the page under a name; nothing where it wrote nothing. */
function pageFact(name: string): string {
  return document.getElementsByName(name)[0]?.getAttribute("content") ?? "";
}
