import type { Json } from "@manifold-gateway/core/codec";

/** The prefix of a model's name where a wire writes it as a resource. */
const RESOURCE = "models/";

/**
 * A provider's own name for a model in the spelling of the one that it takes the place of. A body that names its
 * model beside the path does so as a resource; if the requested name is a resource itself, it stays one.
 */
export const spelledAs = (sent: Json | undefined, asked: string, name: string): string =>
  typeof sent === "string" && sent !== asked && sent.startsWith(RESOURCE) ? RESOURCE + name : name;
