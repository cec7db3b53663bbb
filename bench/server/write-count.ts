import { Duplex } from "node:stream";
import { Socket } from "node:net";

let writes = 0;

// No server tells how often it writes, and two that do not write alike cannot be compared.
Socket.prototype.write = function write(this: Socket, ...given: [never, never]) {
  writes += 1;
  return Duplex.prototype.write.apply(this, given);
};

/** Writes to any socket of this process since it started. */
export function socketWrites(): number {
  return writes;
}
