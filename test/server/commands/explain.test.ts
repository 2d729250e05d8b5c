import { surfaces } from "@manifold-gateway/gateway";
import { expect, it } from "vitest";
import { explainedPaths } from "../../../apps/server/src/commands/explain.ts";

/** Routes whose explanation is that of another one, or whose requests are forms with a recording. */
const LEFT_OUT =
  /\/image\/generations\/async$|\/(transcriptions|translations)$|\/v2\/rerank$|\/msgstyle\/v1\/embeddings$|:(stream|embed|batchEmbed)|\/genstyle\/v1\//;

it("the command explains requests of every route that explains its own", () => {
  const routes = surfaces.flatMap(({ prefix, routes }) =>
    routes
      .filter(({ explains }) => explains)
      .map(({ path }) => prefix + path.replace("**:model", "models/m")),
  );
  const known = Object.values(explainedPaths).map((path) => path("m"));
  expect(known.filter((path) => !routes.includes(path))).toEqual([]);
  expect(routes.filter((path) => !known.includes(path) && !LEFT_OUT.test(path))).toEqual([]);
});
