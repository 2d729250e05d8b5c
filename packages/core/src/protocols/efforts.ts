import type { Effort } from "../ir/index.ts";

export const everyEffort: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];
export const isEffort = (value: unknown): value is Effort => everyEffort.includes(value as Effort);
