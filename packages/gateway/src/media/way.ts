import type { JsonObject } from "@manifold/core";
import { keptLosses } from "../routing/trail.ts";
import type { MediaRoute } from "./resolve.ts";
import type { Work } from "./work.ts";

const asked = ({ id, provider, entry, service }: MediaRoute): JsonObject => ({
  entry: id,
  provider: provider.id,
  name: entry.name,
  protocol: service.wire,
});

const notAsked = ({ skipped }: MediaRoute): JsonObject[] =>
  skipped.map(({ id, ...rest }) => ({ entry: id, ...rest }));

/** The way of work as its record keeps it, beside the entry that does it. */
export const wayRecord = ({ route, losses }: Work): JsonObject => ({
  entry: route.id,
  translated: true,
  revision: route.model.revision,
  candidates: [asked(route), ...notAsked(route)],
  ...(losses.length > 0 && { losses: keptLosses(losses) }),
});

/** The way as an explanation tells it. */
export const tellRoute = (route: MediaRoute): JsonObject => ({
  model: route.model.id,
  revision: route.model.revision,
  route: { candidates: [asked(route)], skipped: notAsked(route) },
});
