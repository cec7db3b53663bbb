export { relay, type RelayOptions, relaySearch, type RelayWire } from "./wire.ts";
