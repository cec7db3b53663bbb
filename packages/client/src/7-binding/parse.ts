/** Any schema library that follows Standard Schema: zod, valibot, arktype and others. */
export interface StandardSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** Makes props of what an agent sent, or throws. */
export type Parse<Output> = StandardSchema<Output> | ((value: unknown) => Output);

export type Parsed<Output> =
  | { readonly isValid: true; readonly value: Output }
  | { readonly isValid: false; readonly error: Error };

/** Parses without ever throwing. */
export function parseWith<Output>(parse: Parse<Output>, value: unknown): Parsed<Output> {
  try {
    if (typeof parse === "function") return { isValid: true, value: parse(value) };
    const result = parse["~standard"].validate(value);
    if (result instanceof Promise) {
      return invalid("The schema answers later; props need one that answers at once");
    }
    if (result.issues) return invalid(result.issues.map(({ message }) => message).join("; "));
    return { isValid: true, value: result.value };
  } catch (thrown) {
    return { isValid: false, error: errorFrom(thrown) };
  }
}

/** The thrown value as an error. */
export function errorFrom(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function invalid(message: string): Parsed<never> {
  return { isValid: false, error: new Error(message) };
}
