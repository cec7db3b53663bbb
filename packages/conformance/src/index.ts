export {
  runtimeContract,
  type RuntimeContractOptions,
  type RuntimePrompts,
} from "./runtime-contract.ts";
export { RunRecorder } from "./runtime-contract/run-recorder.ts";
export { storeContract, type StoreCapabilities, type StorePlace } from "./store-contract.ts";
