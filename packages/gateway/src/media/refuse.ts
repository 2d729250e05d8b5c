import { type Issue, isRefused, type Loss } from "@manifold/core";
import { Refusal } from "../http/refusal.ts";

/** A 400 with every finding that means that the request cannot be served; nothing where there is none. */
export function refuseIssues(issues: readonly Issue[]): void {
  if (!isRefused(issues)) return;
  const refused = issues.filter(({ effect }) => effect === "refuse");
  const [{ path, code } = { path: "", code: "" }] = refused;
  throw new Refusal(
    400,
    refused.map(({ message }) => message),
    { param: path.slice(1).split("/")[0] || "body", code },
  );
}

/** What was left out of a request because its model does not take it, or its provider has no word for it. */
export function lossesOf(issues: readonly Issue[], losses: readonly Loss[]): Record<string, string> {
  const dropped = issues.flatMap(({ effect, path }) => (effect === "drop" ? [path] : []));
  const all = [...new Set([...dropped, ...losses.map(({ path }) => path)])];
  return all.length === 0
    ? {}
    : {
        "x-losses": all
          .slice(0, 20)
          .map((path) => `${encodeURI(path)};unsupported`)
          .join(", "),
      };
}
