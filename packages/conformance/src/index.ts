export {
  runtimeContract,
  type RuntimeContractOptions,
  type RuntimePrompts,
} from "./runtime-contract.ts";
export { storeContract, type StoreCapabilities, type StorePlace } from "./store-contract.ts";
