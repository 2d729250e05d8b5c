/** The loss of a part whose bytes could not be loaded. */
export const unresolved = (at: string): string =>
  `${fieldOf(at)}: the asset could not be made available to the provider`;

/** The loss of a part given as an address on a wire that takes only bytes. */
export const inlineOnly = (at: string): string =>
  `${fieldOf(at)}: the provider of this model accepts inline media only`;

/** The loss of a part of a kind that the wire does not support. */
export const untaken = (at: string, kind: string): string =>
  `${fieldOf(at)}: the provider of this model accepts no ${kind}`;

/** A JSON pointer in dotted form. */
export const fieldOf = (pointer: string): string => pointer.slice(1).replaceAll("/", ".");
