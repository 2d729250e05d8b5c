import { quote, Refusal } from "./http/refusal.ts";
import type { Route } from "./route.ts";

/** Rows that the router cannot tell apart: those of one method and path, which differ by the verb behind it. */
export interface Rows {
  /** The path in the router's form. */
  path: string;
  /** Picks the row for the decoded `params`, which lose the verb. Throws a 404 for a verb that no row has. */
  choose(params: Record<string, string>, target: string): Route;
}

/** A wildcard with a verb: `/models/**:model:generate` is `/models/**:model`, `model` and `generate`. */
const VERB = /^(.*\/\*\*:(\w+)):(\w+)$/;

/** The rows of a surface as the router takes them, in their order. */
export function toRows(routes: readonly Route[]): (Rows & Pick<Route, "method">)[] {
  const rows: (Rows & Pick<Route, "method">)[] = [];
  const verbs = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const [, path, name = "", verb] = VERB.exec(route.path) ?? [];
    if (path === undefined || verb === undefined) {
      rows.push({ method: route.method, path: route.path, choose: () => route });
      continue;
    }
    const known = verbs.get(`${route.method} ${path}`);
    if (known) known.set(verb, route);
    else {
      const first = new Map([[verb, route]]);
      verbs.set(`${route.method} ${path}`, first);
      rows.push({
        method: route.method,
        path,
        choose: (params, target) => byVerb(first, params, name, target),
      });
    }
  }
  return rows;
}

function byVerb(
  rows: ReadonlyMap<string, Route>,
  params: Record<string, string>,
  name: string,
  target: string,
): Route {
  const doubled = doubledVersion(target);
  if (doubled) throw new Refusal("route_not_found", `There is no route at this path.${doubled}`);
  const text = params[name] ?? "";
  const colon = text.lastIndexOf(":");
  const verb = text.slice(colon + 1);
  const route = colon > 0 ? rows.get(verb) : undefined;
  if (!route)
    throw new Refusal(
      "route_not_found",
      `There is no method ${quote(verb)} here; known are ${[...rows.keys()].join(", ")}.`,
    );
  params[name] = text.slice(0, colon);
  return route;
}

/** The advice for an SDK that adds the version which the base URL holds already. */
export function doubledVersion(path: string): string {
  const [, outer, inner] = /\/(v1beta|v1)\/(v1beta|v1)\//.exec(path) ?? [];
  return outer === undefined
    ? ""
    : ` The version occurs twice in the path: leave '/${outer}' out of the base URL, the SDK adds '/${inner}' itself.`;
}

/** Backslashes, fragments, dot segments, and letters, digits, `-._~` in percents: what others may read another way. */
const CROOKED = /[\\#]|\/(?:\.|%2e){1,2}(?:\/|$)|%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/i;

/**
 * Refuses a path that normalising changes: whatever stands in front and judges it by its beginning would have seen
 * another one than the router.
 */
export function refuseCrooked(path: string): void {
  if (CROOKED.test(path))
    throw new Refusal(
      "invalid_path",
      "The path is not in its plain form: it must have no dot segments, no backslashes, and no percent-encoded letters or digits.",
    );
}

/** Path parameters come percent-encoded; they are decoded once, and what hides another layer is refused. */
export function decodeParams(raw: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    let text = value;
    try {
      text = decodeURIComponent(value);
    } catch {
      throw new Refusal("invalid_path", "The path is not correctly percent-encoded.");
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    if (/[\x00-\x1f\x7f]|%[0-9a-f]{2}|(^|\/)\.{1,2}(\/|$)/i.test(text) || text.length > 512)
      throw new Refusal("invalid_path", "The path contains characters that are not accepted.");
    params[name] = text;
  }
  return params;
}
