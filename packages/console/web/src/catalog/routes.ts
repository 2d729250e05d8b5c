import type { Value } from "./calls.ts";

/** A route of a model, as far as screens read it. */
export interface Route {
  provider: string;
  name: string;
  price?: Record<string, number>;
}

const isRoute = (value: unknown): value is Route =>
  typeof value === "object" && value !== null && "provider" in value && "name" in value;

/** Where a model leads, in the order in which it is tried. */
export function routesOf({ entries }: Value): Route[] {
  const routes: unknown = entries;
  return Array.isArray(routes) ? routes.filter(isRoute) : [];
}
