/** Who sends a command: sessions belong to one, and events name it as `by`. */
export interface Principal {
  readonly id: string;
  /** May see and command every session, and set what widens an agent's rights. */
  readonly isAdmin: boolean;
}

export function canReach(principal: Principal, owner: string): boolean {
  return principal.isAdmin || principal.id === owner;
}
