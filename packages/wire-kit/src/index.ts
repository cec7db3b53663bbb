export { kit } from "./wire.ts";
