import { stored } from "./stored.ts";

/** Whether the rail shows icons alone. */
export const isFolded = stored("manifold-rail", (value) => value === true);
