import { type Issue, isRefused } from "@manifold-gateway/core/capability";
import { Refusal } from "../http/refusal.ts";

/** Throws a 400 with all issues if any of them means that the request cannot be served. */
export function refuseIssues(issues: readonly Issue[]): void {
  if (!isRefused(issues)) return;
  const refused = issues.filter(({ effect }) => effect === "refuse");
  const { path, code } = refused[0] as Issue;
  throw new Refusal(
    code,
    refused.map(({ message }) => message),
    { param: path.slice(1).split("/")[0] || "body" },
  );
}
