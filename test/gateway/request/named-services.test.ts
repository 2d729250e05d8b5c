import { expect, it } from "vitest";
import type { Context } from "../../../packages/gateway/src/ports/context.ts";
import { defineRoute } from "../../../packages/gateway/src/route.ts";

const row = { method: "GET", path: "/now", access: "caller", summary: "The time" } as const;
const timeOf = ({ services }: Context<"now">) => ({ body: services.now() });
const idOf = ({ services }: Context<"id" | "now">) => ({ body: services.id() });
const revealing = ({ services }: Context<"keyVault">) => ({ body: services.keyVault?.open });

it("the compiler refuses a handler that uses a service which its route does not name", () => {
  const routes = [
    defineRoute({ ...row, uses: ["now"], handler: (context) => timeOf(context) }),
    // @ts-expect-error: the handler reads a service that is not named.
    defineRoute({ ...row, uses: ["now"], handler: ({ services }) => ({ body: services.id() }) }),
    // @ts-expect-error: a function that the handler calls uses a service that is not named.
    defineRoute({ ...row, uses: ["now"], handler: (context) => idOf(context) }),
    // @ts-expect-error: so does one that uses a service which a gateway need not have.
    defineRoute({ ...row, uses: ["now"], handler: (context) => revealing(context) }),
    // @ts-expect-error: without names there are no services.
    defineRoute({ ...row, handler: ({ services }) => ({ body: services.now() }) }),
    // @ts-expect-error: there is no such service.
    defineRoute({ ...row, uses: ["clock"], handler: () => ({}) }),
  ];
  expect(routes.map(({ uses }) => uses?.length)).toEqual([1, 1, 1, 1, undefined, 1]);
});
