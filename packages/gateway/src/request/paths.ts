import { quote, Refusal } from "../http/refusal.ts";
import type { Route } from "../route.ts";

/** Routes with the same method and pattern, which the router cannot distinguish: only their verbs differ. */
export interface Rows {
  /** The path in the router's notation. */
  path: string;
  /** The verbs, of which the last segment has one behind a colon; absent: it needs none. */
  verbs?: ReadonlyMap<string, Route>;
  /** Picks the route by its verb, and removes the verb from the decoded `params`. Throws a 404 for an unknown verb. */
  choose(params: Record<string, string>, target: string): Route;
}

/** A wildcard with a verb: `/models/**:model:generate` becomes `/models/**:model`, `model` and `generate`. */
const VERB = /^(.*\/\*\*:(\w+)):(\w+)$/;

/** The routes of a surface for the router: those that it lists, and `HEAD` of each `GET` that has no route for it. */
export function toRows(routes: readonly Route[]): (Rows & Pick<Route, "method">)[] {
  const rows = listedRows(routes);
  const heads = new Set(rows.filter(({ method }) => method === "HEAD").map(({ path }) => path));
  return rows.flatMap((row) =>
    row.method === "GET" && !heads.has(row.path) ? [row, { ...row, method: "HEAD" }] : [row],
  );
}

function listedRows(routes: readonly Route[]): (Rows & Pick<Route, "method">)[] {
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
        verbs: first,
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

/** Advice for a client that adds the version although the base URL already has it. */
export function doubledVersion(path: string): string {
  const [, outer, inner] = /\/(v1beta|v1)\/(v1beta|v1)\//.exec(path) ?? [];
  return outer === undefined
    ? ""
    : ` The version occurs twice in the path: leave '/${outer}' out of the base URL, the SDK adds '/${inner}' itself.`;
}

/**
 * Parts that other parsers may interpret differently: backslashes, fragments, dot segments, and percent-encoded
 * letters, digits and `-._~`.
 */
const NOT_NORMALIZED = /[\\#]|\/(?:\.|%2e){1,2}(?:\/|$)|%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/i;

/**
 * Refuses a path that normalization would change: a proxy that decides by the path's beginning would have decided
 * about another path.
 */
export function refuseNotNormalized(path: string): void {
  if (NOT_NORMALIZED.test(path))
    throw new Refusal(
      "invalid_path",
      "The path is not in its plain form: it must have no dot segments, no backslashes, and no percent-encoded letters or digits.",
    );
}

/** The parameters of a path without any. */
export const noParams: Record<string, string> = Object.freeze({});

/** The most characters of a parameter, which may span several segments. */
const LONGEST = 512;

/** Decodes percent-encoded path parameters, once. Refuses those that are encoded twice. */
export function decodeParams(raw: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    let text = value;
    try {
      text = decodeURIComponent(value);
    } catch {
      throw new Refusal("invalid_path", "The path is not correctly percent-encoded.");
    }
    if (text.length > LONGEST)
      throw new Refusal("invalid_path", `A name in the path is longer than ${LONGEST} characters.`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    if (/[\x00-\x1f\x7f]|%[0-9a-f]{2}|(^|\/)\.{1,2}(\/|$)/i.test(text))
      throw new Refusal("invalid_path", "The path contains characters that are not accepted.");
    params[name] = text;
  }
  return params;
}
