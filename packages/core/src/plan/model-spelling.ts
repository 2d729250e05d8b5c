import type { Json } from "../json/json.ts";

/** The prefix of a model's name on a wire that writes it as a resource. */
const RESOURCE = "models/";

/**
 * The provider's name for a model, spelled like the name that it replaces: with the resource prefix if the body has
 * it and the requested name doesn't.
 */
export const spelledAs = (sent: Json | undefined, requested: string, name: string): string =>
  typeof sent === "string" && sent !== requested && sent.startsWith(RESOURCE) ? RESOURCE + name : name;
