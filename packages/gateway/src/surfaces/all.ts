import type { Surface } from "../route.ts";
import { accountSurface } from "./account.ts";
import { adminSurface } from "./admin.ts";
import { authSurface } from "./auth.ts";
import { chatSurface } from "./chatstyle.ts";
import { consoleSurface } from "./console.ts";
import { generateSurface } from "./genstyle.ts";
import { keysSurface } from "./keys.ts";
import { messagesSurface } from "./msgstyle.ts";
import { nativeSurface } from "./native.ts";
import { objectsSurface } from "./objects.ts";
import { serviceSurface } from "./service.ts";

/** All surfaces, in the order of the documentation. */
export function surfacesWith(further: readonly Surface[]): readonly Surface[] {
  const all: readonly Surface[] = [
    nativeSurface,
    chatSurface,
    messagesSurface,
    generateSurface,
    ...further,
    accountSurface,
    authSurface,
    adminSurface,
    keysSurface,
    serviceSurface(() => all),
    objectsSurface,
    consoleSurface,
  ];
  return all;
}

/** The surfaces of the service itself. */
export const surfaces = surfacesWith([]);

/** The paths of WebSockets. */
export const socketPathsOf = (all: readonly Surface[]): ReadonlySet<string> =>
  new Set(
    all.flatMap(({ prefix, routes }) => routes.filter(({ opens }) => opens).map(({ path }) => prefix + path)),
  );

/** The surfaces with only those routes that can be explained. */
export const explainedIn = (all: readonly Surface[]): readonly Surface[] =>
  all.map((surface) => ({ ...surface, routes: surface.routes.filter(({ explains }) => explains) }));

/** The surfaces with only those routes that lines of batches can name. */
export const batchedIn = (all: readonly Surface[]): readonly Surface[] =>
  all
    .map((surface) => ({ ...surface, routes: surface.routes.filter(({ batched }) => batched) }))
    .filter(({ routes }) => routes.length > 0);
