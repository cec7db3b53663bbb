export {
  runtimeContract,
  type RuntimeContractOptions,
  type RuntimePrompts,
} from "./runtime-contract.ts";
export { RunRecorder } from "./runtime-contract/run-recorder.ts";
export { storeContract, type StoreCapabilities, type StorePlace } from "./store-contract.ts";
export { type Check, type CheckReport, runChecks } from "./check.ts";
export { clientChecks } from "./client-checks.ts";
export {
  type ClientCall,
  type ClientCommand,
  clientContract,
  type ClientOutcome,
  type ClientSubject,
  outcomeOf,
} from "./client-contract.ts";
export { serverChecks } from "./server-checks.ts";
export { serverContract, type ServerPrompts, type ServerSubject } from "./server-contract.ts";
export { dialectChecks } from "./dialect-checks.ts";
export { dialectContract, type DialectInput, type DialectSubject } from "./dialect-contract.ts";
export { DemoSteps } from "./demo-steps.ts";
