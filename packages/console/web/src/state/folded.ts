import { effect, signal } from "@preact/signals";

const KEY = "manifold-rail";

/** Whether the rail shows icons alone. */
export const isFolded = signal(localStorage.getItem(KEY) === "folded");

effect(() => localStorage.setItem(KEY, isFolded.value ? "folded" : "open"));
