/** The detail of a loss: the bytes of a part could not be loaded. */
export const unresolved = (at: string): string =>
  `${fieldOf(at)}: the asset could not be made available to the provider`;

/** The detail of a loss: a part is an address, but the wire takes only bytes. */
export const inlineOnly = (at: string): string =>
  `${fieldOf(at)}: the provider of this model accepts inline media only`;

/** The detail of a loss: the wire does not support parts of this kind. */
export const untaken = (at: string, kind: string): string =>
  `${fieldOf(at)}: the provider of this model accepts no ${kind}`;

/** A JSON pointer in dotted form. */
export const fieldOf = (pointer: string): string => pointer.slice(1).replaceAll("/", ".");
