// For a program that serves by itself, as `turnwire serve` does: what it keeps in its data directory,
// and what it does with that while no server runs.
export { createAuditFile } from "./3-host/audit/audit-file.ts";
export { checkAudit } from "./3-host/audit/audit-chain.ts";
export { createLoginFile, createTokenFile } from "./4-transport/auth/credential-store.ts";
export { checkToken, loadSharedToken, loadToken } from "./4-transport/auth/token.ts";
export { isHostName } from "./4-transport/http/host-list.ts";
export { Policies } from "./3-host/policy/policies.ts";
export { PolicyFiles } from "./3-host/policy/policy-files.ts";
export { createPolicyRuleFile } from "./3-host/policy/rule-store.ts";
export { chooseRuntime } from "./3-host/runtime/runtime-list.ts";
export { createSharedPlaces } from "./3-host/shared-places.ts";
export { runDefaultsFrom } from "./2-session/decide/session-option.ts";
