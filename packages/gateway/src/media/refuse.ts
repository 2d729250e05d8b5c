import { type Issue, isRefused } from "@manifold-gateway/core/capability";
import { Refusal } from "../http/refusal.ts";

/** A 400 with every finding that means that the request cannot be served; nothing where there is none. */
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
