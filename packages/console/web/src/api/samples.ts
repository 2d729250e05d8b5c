import type { Sample } from "./curl.ts";
import type { Operation, Parameter } from "./document.ts";

/** One route as the document has it. */
export interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

type Credential = NonNullable<Sample["credential"]> & { scheme: string };

/** The credentials that programs call with; the first that a route takes is shown. */
const CREDENTIALS: readonly Credential[] = [
  { scheme: "apiKey", header: "x-api-key", variable: "MANIFOLD_KEY" },
  { scheme: "session", header: "authorization", variable: "MANIFOLD_TOKEN", prefix: "Bearer " },
  { scheme: "operator", header: "x-admin-key", variable: "MANIFOLD_ADMIN_KEY" },
];

export const takes = ({ security = [] }: Operation, scheme: string): boolean =>
  security.some((one) => scheme in one);

export const contentOf = ({ requestBody }: Operation) => requestBody?.content["application/json"];

/** The parameters of the address; all routes have the same headers beside them. */
export const placedIn = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter(({ in: place }) => place !== "header");

/** A path with its parameters filled in, and the rest of them behind it. */
export function addressOf({ path, operation }: Entry, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of placedIn(operation)) {
    const value = values[name] ?? "";
    if (place === "path")
      filled = filled.replace(`{${name}}`, value.split("/").map(encodeURIComponent).join("/"));
    else if (value !== "") query.set(name, value);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** What stands for a parameter of the path in an example: one of the document's own, or its name in capitals. */
export const standIn = ({ name, examples = {} }: Parameter): string =>
  String(Object.values(examples)[0]?.value ?? name.replace(/[A-Z]/g, "_$&").toUpperCase());

/** The call of a route with a body. */
export function sampleOf(entry: Entry, body: unknown, origin: string): Sample {
  const { method, operation } = entry;
  const inPath = placedIn(operation).filter(({ in: place }) => place === "path");
  const values = Object.fromEntries(inPath.map((one) => [one.name, standIn(one)]));
  const credential = CREDENTIALS.find(({ scheme }) => takes(operation, scheme));
  return { method, url: origin + addressOf(entry, values), credential, body };
}
