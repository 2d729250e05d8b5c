import type { Restrictions } from "@manifold-gateway/store";
import { RESTRICTION_NAMES } from "@manifold-gateway/store/restrictions";
import type { Exchange } from "../http/exchange.ts";
import { Refusal } from "../http/refusal.ts";
import type { Caller } from "../ports/access.ts";
import type { Catalog } from "../ports/catalog.ts";
import type { Services } from "../ports/services.ts";
import type { Surface } from "../route.ts";
import { type KeyServices, type Rule, rules } from "./restriction-rules.ts";

/** The rules as they apply to a value that belongs to the same restriction. */
const RULES: readonly (readonly [keyof Restrictions, Rule<unknown>])[] = RESTRICTION_NAMES.map((name) => [
  name,
  rules[name],
]);

/** Refuses a key that may not be used at all, such as one that has expired. */
export function checkKey(restrictions: Restrictions, services: KeyServices, exchange: Exchange): void {
  for (const [name, rule] of RULES) {
    const value = restrictions[name];
    if (value === undefined || rule.by !== "key") continue;
    const reason = rule.refuses(value, services, exchange);
    if (reason !== undefined) throw new Refusal(rule.code, reason);
  }
}

/** Refuses a surface that the key may not use. */
function checkSurface(restrictions: Restrictions, surface: Surface): void {
  for (const [name, rule] of RULES) {
    const value = restrictions[name];
    if (value === undefined || rule.by !== "surface") continue;
    const reason = rule.refuses(value, surface);
    if (reason !== undefined) throw new Refusal(rule.code, reason);
  }
}

/** The catalog with the models that the key may use. */
function limitCatalog(restrictions: Restrictions, whole: Catalog): Catalog {
  let catalog = whole;
  for (const [name, rule] of RULES) {
    const value = restrictions[name];
    if (value !== undefined && rule.by === "catalog") catalog = rule.limit(catalog, value);
  }
  return catalog;
}

/** Refuses a surface that the key may not use. Returns the services with the models that it may use. */
export function restrict(services: Services, { restrictions }: Caller, surface: Surface): Services {
  if (!restrictions) return services;
  checkSurface(restrictions, surface);
  const made = limited.get(restrictions);
  if (made?.whole === services) return made.services;
  const catalog = limitCatalog(restrictions, services.catalog);
  const keyServices = catalog === services.catalog ? services : withCatalog(services, catalog);
  limited.set(restrictions, { whole: services, services: keyServices });
  return keyServices;
}

/** The services of restricted keys, made with a key's first request. A change of a key makes new restrictions. */
const limited = new WeakMap<Restrictions, { whole: Services; services: Services }>();

/** The services with another catalog. What they read anew for each request, such as observers, is still read anew. */
const withCatalog = (services: Services, catalog: Catalog): Services =>
  Object.defineProperties({} as Services, {
    ...Object.getOwnPropertyDescriptors(services),
    catalog: { value: catalog, enumerable: true },
  });
