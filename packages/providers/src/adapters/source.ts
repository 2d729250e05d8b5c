import { type PartSource, toUrl } from "@manifold/core";

/** The address of a part's bytes: its own, or a `data:` URL. Nothing for an asset that nobody has resolved. */
export const addressOf = (source: PartSource): string | undefined =>
  source.type === "asset" ? undefined : toUrl(source);

/** What is said of a part that came here without its bytes. */
export const unresolved = (at: string): string =>
  `${at}: the asset could not be made available to the provider`;

/** What is said of a part that came as an address where only bytes go. */
export const inlineOnly = (at: string): string => `${at}: the provider of this model takes inline media only`;
