import { stored } from "./stored.ts";

/** Whether the rail shows icons alone; earlier versions wrote the word. */
export const isFolded = stored("manifold-rail", (value) => value === true || value === "folded");
