import type { Effort } from "../../ir/index.ts";

export const levels: Record<string, Effort> = {
  MINIMAL: "minimal",
  LOW: "low",
  MEDIUM: "medium",
  HIGH: "high",
};
