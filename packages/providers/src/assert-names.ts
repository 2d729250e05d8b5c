/**
 * Throws a `TypeError` that names the first option that is not known. It is for functions of which a client's bundle has
 * no schemas: `all` has a member for each option.
 */
export function assertNames<T extends object>(
  of: string,
  options: T,
  all: { readonly [name in keyof Required<T>]: unknown },
): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !Object.hasOwn(all, name))
      throw new TypeError(
        `${of}: ${name}: there is no such field; known are ${Object.keys(all).join(", ")}.`,
      );
}
