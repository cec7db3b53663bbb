export { type ConfinementNeed, credentialVariables } from "./confinement.ts";
export { type ContainmentStatus, containmentStatus } from "./probe.ts";
export {
  containmentCapability,
  type HeldCommand,
  type Hold,
  SessionContainment,
  sessionContainment,
} from "./session-containment.ts";
