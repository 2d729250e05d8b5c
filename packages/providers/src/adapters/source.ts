/** The detail of a loss for a part that came here without its bytes. */
export const unresolved = (at: string): string =>
  `${fieldOf(at)}: the asset could not be made available to the provider`;

/** The detail of a loss for a part that came as an address where only bytes go. */
export const inlineOnly = (at: string): string =>
  `${fieldOf(at)}: the provider of this model accepts inline media only`;

/** The detail of a loss for a part of a kind that the wire has no place for. */
export const untaken = (at: string, kind: string): string =>
  `${fieldOf(at)}: the provider of this model accepts no ${kind}`;

/** A pointer as people write it. */
export const fieldOf = (pointer: string): string => pointer.slice(1).replaceAll("/", ".");
