export {
  Emitter,
  type EmittedComponent,
  type EmitterApi,
  type EmitterOptions,
  type ShowOptions,
  type StateChange,
} from "./6-session/emitter.ts";
