import { useSessionSelector } from "@turnwire/react";
import { useProjectOf } from "../project/projects.tsx";
import { TrustBanner } from "./trust-banner.tsx";

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
