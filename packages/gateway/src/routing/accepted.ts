import { Rejection } from "@manifold-gateway/core/plan";
import type { SkipReason } from "./candidate.ts";
import { EntryRejected } from "./queue.ts";

/** The reason to skip an entry that the caller's rules about losses reject. */
const reasons = { settings: "parameters", all: "losses" } as const satisfies Record<string, SkipReason>;

/** The refusal of one entry for a rejection by the library. */
export const refusalOf = ({ code, errors, param, rule }: Rejection): EntryRejected =>
  new EntryRejected(rule ? reasons[rule] : "refused", code, [...errors], {
    ...(param !== undefined && { param }),
  });

/** The result of a check by the library; throws its rejection as a refusal of the entry. */
export function accepted<Result>(result: Result | Rejection): Result {
  if (result instanceof Rejection) throw refusalOf(result);
  return result;
}
