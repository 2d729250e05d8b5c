import type { Answer } from "../api/client.ts";
import type { Filters } from "./source.ts";

/** A request that was refused before it had a record. */
export type Refusal = Answer<"/api/admin/refusals">["results"][number];

/** The filters that refused requests have as well. */
const COMMON: ReadonlySet<string> = new Set([
  ...["account", "key", "model", "surface", "requestId", "batch", "code", "from", "to", "status"],
]);

/** Whether refused requests are among those that filters choose, and records too. */
export function kindsIn(filters: Filters): { refused: boolean; records: boolean } {
  const statuses = (filters.status ?? "").split(",").filter((one) => one !== "");
  const isOf = (kind: (status: string) => boolean): boolean => statuses.length === 0 || statuses.some(kind);
  const isCommon = Object.keys(filters).every((name) => COMMON.has(name));
  return {
    refused: isCommon && isOf((status) => status === "refused"),
    records: filters.code === undefined && isOf((status) => status !== "refused"),
  };
}

/** The outcomes of records among those that are chosen. */
export const outcomesIn = ({ status }: Filters): string | undefined =>
  status
    ?.split(",")
    .filter((one) => one !== "refused")
    .join(",") || undefined;
