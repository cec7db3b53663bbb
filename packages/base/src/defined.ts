type OptionalName<Members, Name extends keyof Members> = undefined extends Members[Name]
  ? Name
  : never;

/** `Members` where each that may be undefined is optional instead. */
export type Defined<Members> = {
  [Name in keyof Members as Exclude<Name, OptionalName<Members, Name>>]: Members[Name];
} & {
  [Name in keyof Members as OptionalName<Members, Name>]?: Exclude<Members[Name], undefined>;
};

/** A copy of an object without the members that are undefined. */
export function defined<Members extends object>(members: Members): Defined<Members> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) kept[name] = value;
  }
  return kept as Defined<Members>;
}
