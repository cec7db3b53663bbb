import { detach } from "@turnwire/base";
import { grantsOf, type PermissionGrant } from "@turnwire/protocol";
import { useSession, useSessionSelector } from "@turnwire/react";
import { useState } from "react";
import { Button } from "../../element/button.tsx";
import { ClockTime } from "../../element/clock-time-view.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { showError } from "../../element/toast.ts";
import { grantText } from "../request/grant-text.ts";
import style from "./grant-button.module.css";

/** Lists what the agent may do without asking, and takes it back; nothing where it asks for everything. */
export function GrantButton() {
  const count = useSessionSelector((view) => grantsOf(view.session).length);
  const [isOpen, setOpen] = useState(false);
  // Closed with the last one: the next grant must not open it again.
  if (count === 0 && isOpen) setOpen(false);
  if (count === 0) return null;
  return (
    <>
      <button
        type="button"
        className={`quiet rigid tiny ${style.button}`}
        title="Always allowed in this session"
        onClick={() => setOpen(true)}
      >
        {count} always allowed
      </button>
      {isOpen && <GrantDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function GrantDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession();
  const grants = useSessionSelector((view) => view.session.session.grants) ?? [];
  const canRevoke = useSessionSelector(
    (view) => view.session.session.capabilities.revoke_permissions,
  );
  const revoke = ({ grant_id }: PermissionGrant): void =>
    detach(session.execute({ type: "revoke_permission", grant_id }), showError);
  return (
    <Dialog title="Always allowed in this session" onClose={onClose}>
      <div className="dialog-body stack gap-4">
        <ul className="stack gap-3">
          {grants.map((grant) => (
            <li key={grant.grant_id} className="row gap-2 wrap">
              <span className={`shrink breaks ${style.what}`}>{grantText(grant)}</span>
              <ClockTime time={grant.granted_at} />
              {canRevoke && (
                <Button onClick={() => revoke(grant)} aria-label={`Revoke: ${grantText(grant)}`}>
                  Revoke
                </Button>
              )}
            </li>
          ))}
        </ul>
        <p className="small soft">
          {canRevoke
            ? "The agent asks again as soon as you revoke one."
            : "This agent cannot take these back one by one. They end when it stops."}
        </p>
      </div>
    </Dialog>
  );
}
