import { expect, it } from "vitest";
import { z } from "zod";
import { rows } from "../openapi/routes.ts";

type Schema = { additionalProperties?: unknown; anyOf?: Schema[] };

/** Checks that a body with a member that it does not know is refused. */
const isStrict = ({ anyOf, additionalProperties }: Schema): boolean =>
  anyOf ? anyOf.every(isStrict) : additionalProperties === false;

const managing = rows.filter(
  ({ path, route }) => route.body && (/^\/api\/(admin|auth)\//.test(path) || /\/api-keys(\/|$)/.test(path)),
);

it("there are bodies of operators, keys and sessions", () => {
  expect(managing.length).toBeGreaterThan(20);
});

it.each(managing.map(({ route, path }) => [`${route.method} ${path}`, route] as const))(
  "%s refuses a member that it does not know, such as a misspelt one",
  (_, { body }) => {
    expect(isStrict(z.toJSONSchema(body as z.ZodType, { io: "input" }) as Schema)).toBe(true);
  },
);
