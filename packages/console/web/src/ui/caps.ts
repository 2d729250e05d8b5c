/** The caps of a key. */
export const CAPS = ["daily", "weekly", "monthly", "total"] as const;
export type CapName = (typeof CAPS)[number];
