export {
  createRelayPlatform,
  RelayConnection,
  type RelayConnectionOptions,
  type RelayPlatform,
  type RelaySocket,
} from "./5-connection/relay/relay-connection.ts";
export type { RelayConnectionState } from "./5-connection/relay/relay-connection-state.ts";
export type { RelayLine, RelayMessage } from "./5-connection/relay/relay-line.ts";
export {
  RelayDiscovery,
  relayPorts,
  type FoundRelay,
  type RelayDiscoveryOptions,
} from "./6-session/relay/relay-discovery.ts";
export {
  createRotation,
  rotate,
  shownAgents,
  type FirstSessionBinding,
  type RelayAgent,
  type Rotation,
  type RotationInput,
  type RotationStep,
} from "./6-session/relay/rotation.ts";
