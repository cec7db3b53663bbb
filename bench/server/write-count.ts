import { Socket } from "node:net";

let writes = 0;

// No server tells how often it writes, and two that do not write alike cannot be compared.
Socket.prototype.write = new Proxy(Socket.prototype.write, {
  apply(write, socket: Socket, given: Parameters<Socket["write"]>) {
    writes += 1;
    return Reflect.apply(write, socket, given);
  },
});

/** Writes to any socket of this process since it started. */
export function socketWrites(): number {
  return writes;
}
