import { detach } from "@turnwire/base";
import type { LoginInfo } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../../element/button.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { relativeTime } from "../../element/relative-time.ts";
import { useNow } from "../../element/use-now.ts";
import { showError } from "../../element/toast.ts";
import { LoginName } from "./login-name.tsx";
import { logOut } from "./login-state.ts";

/** The browsers that are logged in, each of which can be logged out from here. */
export function LoginDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const list = useRef<HTMLUListElement>(null);
  const [logins, setLogins] = useState<readonly LoginInfo[]>();
  const [news, setNews] = useState("");
  const load = useCallback(async (): Promise<void> => {
    setLogins((await client.logins.list()).logins);
  }, [client]);
  useEffect(() => detach(load(), showError), [load]);
  /** The pressed button disappears with its row: the list takes the focus. */
  const change = async (done: Promise<unknown>, text: string): Promise<void> => {
    await done;
    await load();
    setNews(text);
    list.current?.focus();
  };
  const others = logins?.filter(({ is_current }) => !is_current) ?? [];
  return (
    <Dialog title="Logged-in browsers" onClose={onClose}>
      <div className="dialog-body stack gap-4">
        <p role="status" className="if-any">
          {logins ? news : "Loading…"}
        </p>
        <ul ref={list} tabIndex={-1} aria-label="Logged-in browsers" className="stack gap-3">
          {logins?.map((login) => (
            <LoginRow
              key={login.login_id}
              login={login}
              onRename={(name) =>
                detach(
                  change(client.logins.rename(login.login_id, name), `Renamed to ${name}.`),
                  showError,
                )
              }
              onRevoke={() =>
                detach(
                  change(client.logins.revoke(login.login_id), `Logged out ${login.name}.`),
                  showError,
                )
              }
            />
          ))}
        </ul>
        <div className="flow gap-3">
          {others.length > 0 && (
            <Button
              onClick={() =>
                detach(
                  change(client.logins.revokeOthers(), "Logged out all other browsers."),
                  showError,
                )
              }
            >
              Log out all other browsers
            </Button>
          )}
          <Button look="danger" onClick={() => detach(logOut(client), showError)}>
            Log out this browser
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface LoginRowProps {
  readonly login: LoginInfo;
  readonly onRename: (name: string) => void;
  readonly onRevoke: () => void;
}

function LoginRow({ login, onRename, onRevoke }: LoginRowProps) {
  const now = useNow();
  const { name, is_current: isCurrent, last_seen_at, created_at } = login;
  const seen = isCurrent ? "This browser" : `Last seen ${relativeTime(last_seen_at, now)}`;
  return (
    <li className="row gap-4 spread">
      <div className="stack shrink">
        <LoginName name={name} onRename={onRename} />
        <span className="small soft">
          {seen}, since {new Date(created_at).toLocaleDateString()}
        </span>
      </div>
      {!isCurrent && (
        <Button aria-label={`Log out ${name}`} onClick={onRevoke}>
          Log out
        </Button>
      )}
    </li>
  );
}
