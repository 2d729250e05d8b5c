import type { Json } from "../../json/json.ts";

/** The whole answer as one chunk. */
export const burst = (body: Json): Json[] => [body];
