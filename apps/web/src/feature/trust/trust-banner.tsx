import type { SessionConfiguration } from "@turnwire/protocol";
import { useState } from "react";
import { Button } from "../../element/button.tsx";
import { Icon } from "../../element/icon.tsx";
import { findingsFor, findingWords } from "./finding-words.ts";
import style from "./trust-banner.module.css";
import { TrustDialog } from "./trust-dialog.tsx";
import { useTrust } from "./use-trust.ts";
import { createStore } from "@turnwire/base";
import { useStorePart } from "../../element/use-store.ts";
import { useSessionSelector } from "@turnwire/react";
import { useProjectOf } from "../project/projects.tsx";

interface TrustBannerProps {
  /** The folder that the agent works in. */
  readonly path: string | undefined;
  /** Only what this agent would read is worth a question. */
  readonly runtime: string | undefined;
  readonly configuration?: SessionConfiguration | undefined;
}

/** Says what of a folder is not used, until the person has decided; then, in small, that it is in force. */
export function TrustBanner({ path, runtime, configuration }: TrustBannerProps) {
  const { info } = useTrust(path, configuration?.trust);
  const [isOpen, setOpen] = useState(false);
  const isDeclined = useIsDeclined(info?.path, info?.digest);
  if (!info || runtime === undefined || info.status === "none") return null;
  const findings = findingsFor(info.findings, runtime);
  if (findings.length === 0) return null;
  const leave = (): void => decline(info.path, info.digest);
  const dialog = isOpen && (
    <TrustDialog
      path={info.path}
      configuration={configuration}
      onClose={() => setOpen(false)}
      onDecline={leave}
    />
  );
  if (info.status === "trusted" || isDeclined) {
    return (
      <div className={`row gap-2 tiny faint ${style.line}`}>
        <Icon name="shield" size={14} />
        <span>
          {info.status === "trusted" ? "Trusted folder: uses " : "Not trusted: ignores "}
          {findingWords(findings)}.
        </span>
        <button type="button" onClick={() => setOpen(true)}>
          {info.status === "trusted" ? "Show" : "Review…"}
        </button>
        {dialog}
      </div>
    );
  }
  return (
    <section className={`row wrap small ${style.banner}`} aria-label="Trust this folder">
      <Icon name="shield" />
      <p>
        {info.status === "changed" && "This folder has changed since you trusted it. "}
        This folder’s {findingWords(findings)} {findings.length === 1 ? "is" : "are"} not used.
      </p>
      <div className="flow gap-2">
        <Button onClick={leave}>Not now</Button>
        <Button look="strong" onClick={() => setOpen(true)}>
          Trust this folder…
        </Button>
      </div>
      {dialog}
    </section>
  );
}

/** Folders for which the person chose "Not now", as they were then; asked again in the next window. */
const declined = createStore<ReadonlySet<string>>(new Set());

function keyOf(path: string, digest: string): string {
  return `${digest} ${path}`;
}

function decline(path: string, digest: string): void {
  declined.set(new Set([...declined.get(), keyOf(path, digest)]));
}

function useIsDeclined(path: string | undefined, digest: string | undefined): boolean {
  return useStorePart(declined, (keys) => keys.has(keyOf(path ?? "", digest ?? "")));
}

/** Whether the folder of the session on this page may configure its agent. */
export function SessionTrust() {
  const { cwd, runtime, configuration, is_closed, status } = useSessionSelector(
    (view) => view.session.session,
  );
  const project = useProjectOf(cwd);
  const isWorthAsking = [project?.trust, configuration?.trust].some(
    (trust) => trust !== undefined && trust !== "none",
  );
  if (is_closed || status === "archived" || !isWorthAsking) return null;
  return <TrustBanner path={cwd} runtime={runtime} {...(configuration && { configuration })} />;
}
