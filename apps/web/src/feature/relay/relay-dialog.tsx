import type { RelayAgent } from "@turnwire/client/relay";
import { useId } from "react";
import { CopyButton } from "../../element/copy-button.tsx";
import { Dialog } from "../../element/dialog.tsx";
import { Link } from "../navigation/link.tsx";
import { useSessionList } from "../session/sessions.tsx";
import style from "./relay-dialog.module.css";
import { agentFacts, agentStatuses, agentTitle, ownSession, programNames } from "./relay-words.ts";
import { useRelays } from "./relays.tsx";
import type { ShownRelay } from "./watch-relays.ts";

/** The relays of this machine: what they are, which sessions they carry, and how to reach them. */
export function RelayDialog({ onClose }: { readonly onClose: () => void }) {
  const relays = useRelays();
  return (
    <Dialog title="Relays on this machine" onClose={onClose}>
      <div className="dialog-body stack gap-5 small">
        <p className="soft">A relay carries sessions to other front ends.</p>
        {relays.length === 0 && <p role="status">No relay answers any more.</p>}
        {relays.map((relay) => (
          <RelaySection key={relay.port} relay={relay} onClose={onClose} />
        ))}
      </div>
    </Dialog>
  );
}

interface RelaySectionProps {
  readonly relay: ShownRelay;
  readonly onClose: () => void;
}

function RelaySection({ relay, onClose }: RelaySectionProps) {
  const heading = useId();
  const { port, program, is_own: isOwn, needs_token: needsToken, web_url: webUrl } = relay;
  return (
    <section aria-labelledby={heading} className={`stack gap-3 ${style.relay}`}>
      <h3 id={heading}>
        {programNames[program]} <span className={`soft ${style.port}`}>on port {port}</span>
      </h3>
      {isOwn && <p className="soft">It belongs to this server and carries its sessions.</p>}
      {isOwn && <Addresses port={port} />}
      {program !== "turnwire" && (
        <p className="soft">It asks for no token, and other machines may reach it.</p>
      )}
      {!isOwn && needsToken && (
        <p className="soft">It needs a token, so its sessions are not shown here.</p>
      )}
      {!isOwn && !needsToken && <AgentList relay={relay} onClose={onClose} />}
      {!isOwn && webUrl !== undefined && (
        <a href={webUrl} target="_blank" rel="noopener noreferrer">
          Open its web app
        </a>
      )}
    </section>
  );
}

function Addresses({ port }: { readonly port: number }) {
  const rows = [
    { name: "For front ends", text: `ws://127.0.0.1:${port}/ws` },
    { name: "For Claude Code up to 2.1.120", text: `claude --sdk-url ws://127.0.0.1:${port}` },
  ];
  return (
    <dl className="stack gap-3">
      {rows.map(({ name, text }) => (
        <div key={name}>
          <dt className="soft">{name}</dt>
          <dd className="row gap-2 spread">
            <code className="breaks">{text}</code>
            <CopyButton text={() => text} label={`Copy: ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function AgentList({ relay, onClose }: RelaySectionProps) {
  const { agents, port } = relay;
  if (agents.length === 0) return <p className="soft">No session yet.</p>;
  return (
    <ul className="rows" aria-label={`Sessions on port ${port}`}>
      {agents.map((agent) => (
        <AgentRow key={agent.agentId} agent={agent} onClose={onClose} />
      ))}
    </ul>
  );
}

interface AgentRowProps {
  readonly agent: RelayAgent;
  readonly onClose: () => void;
}

/** A session that this server has too can be opened; of others there is only what the relay says. */
function AgentRow({ agent, onClose }: AgentRowProps) {
  const { sessions } = useSessionList();
  const own = ownSession(sessions, agent);
  const title = agentTitle(agent);
  const facts = agentFacts(agent);
  return (
    <li className={`row gap-3 ${style.row}`}>
      <span className={`dot ${style.dot}`} data-status={agent.status} aria-hidden="true" />
      <span className="stack grow shrink">
        <span className="cut medium" title={agent.cwd}>
          {own ? (
            <Link to={{ type: "session", sessionId: own.session_id }} onClick={onClose}>
              {own.title ?? title}
            </Link>
          ) : (
            title
          )}
        </span>
        {facts !== "" && <span className="cut tiny soft">{facts}</span>}
      </span>
      <span className="soft">{agentStatuses[agent.status]}</span>
    </li>
  );
}
