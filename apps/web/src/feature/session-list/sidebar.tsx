import type { ReactNode, RefObject } from "react";
import { Link } from "../navigation/link.tsx";
import type { Route } from "../navigation/route.ts";
import { RelayButton } from "../relay/relay-button.tsx";
import { SettingsMenu } from "../settings/settings-menu.tsx";
import { IconButton } from "../../element/icon-button.tsx";
import { Icon } from "../../element/icon.tsx";
import { keyName } from "../../element/key-name.ts";
import { Mark } from "../../element/mark.tsx";
import { SessionGroups } from "./session-groups.tsx";
import { useSessionList } from "../session/sessions.tsx";
import style from "./sidebar.module.css";

interface SidebarProps {
  readonly route: Route;
  readonly onSearch: () => void;
  /** Closes the sheet on a small screen, hides the sidebar on a large one. */
  readonly onHide: () => void;
  readonly hideButton: RefObject<HTMLButtonElement | null>;
  /** The edge that resizes it. */
  readonly children: ReactNode;
}

/** All sessions, and the link to start one. */
export function Sidebar({ route, onSearch, onHide, hideButton, children }: SidebarProps) {
  return (
    <nav className={style.sidebar} aria-label="Sessions">
      <div className={`row gap-1 rigid ${style.top}`}>
        <Link to={{ type: "home" }} className={`row gap-3 grow ink ${style.brand}`}>
          <Mark size={22} /> Turnwire
        </Link>
        <IconButton
          icon="search"
          label={`Find a session (${keyName("Ctrl K")})`}
          onClick={onSearch}
        />
        <IconButton
          icon="sidebar"
          label={`Hide sessions (${keyName("Ctrl B")})`}
          onClick={onHide}
          ref={hideButton}
        />
      </div>
      <Link
        to={{ type: "home" }}
        className={`panel row gap-3 rigid small medium ink ${style.start}`}
        aria-current={route.type === "home" ? "page" : undefined}
      >
        <Icon name="plus" size={16} /> New session
      </Link>
      <SessionGroups route={route} />
      <ConnectionNote />
      <div className={`row spread rigid ${style.foot}`}>
        <Link to={{ type: "past" }} className={style.footLink}>
          <Icon name="download" size={16} /> Import
        </Link>
        <RelayButton className={style.footLink} />
        <SettingsMenu />
      </div>
      {children}
    </nav>
  );
}

/** Shown while the list may be out of date. */
function ConnectionNote() {
  const { status, refresh } = useSessionList();
  const isBroken = status === "waiting" || status === "failed";
  return (
    <div role="status">
      {isBroken && (
        <p className={`alert ${style.note}`}>
          The server cannot be reached.{" "}
          <button type="button" onClick={refresh}>
            Try now
          </button>
        </p>
      )}
    </div>
  );
}
