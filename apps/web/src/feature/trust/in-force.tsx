import type { SessionConfiguration } from "@turnwire/protocol";
import style from "./trust-dialog.module.css";

const parts = [
  ["instructions", "Instructions"],
  ["agents", "Agents"],
  ["skills", "Skills"],
  ["commands", "Commands"],
  ["mcp_servers", "MCP servers"],
  ["hooks", "Hooks"],
] as const;

/** What an agent takes from files now. */
export function InForce({ configuration }: { readonly configuration: SessionConfiguration }) {
  const shown = parts.filter(([name]) => configuration[name].length > 0);
  return (
    <section className="stack gap-2">
      <h3 className="tiny soft">In force in this session</h3>
      <dl className={`stack gap-1 ${style.force}`}>
        {shown.map(([name, label]) => (
          <div key={name} className="flow gap-3">
            <dt>{label}</dt>
            <dd>{configuration[name].join(", ")}</dd>
          </div>
        ))}
        <div>
          <dt>Your own settings</dt>
          <dd>{configuration.user_settings ? "Used" : "Not used"}</dd>
        </div>
      </dl>
    </section>
  );
}
