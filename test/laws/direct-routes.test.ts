import { connect } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCors } from "../../packages/gateway/src/http/cors.ts";
import type { Services } from "../../packages/gateway/src/ports/services.ts";
import { type Mounted, mount } from "../../packages/gateway/src/request/mount.ts";
import type { Route } from "../../packages/gateway/src/route.ts";
import { surfaces } from "../../packages/gateway/src/surfaces/all.ts";
import { type Listening, listen } from "../support/listen.ts";

/** The real routes, each of which answers with its path and the parameters that it was given. */
const named = surfaces.map((surface) => ({
  ...surface,
  routes: surface.routes.map(
    ({ method, path, summary }): Route => ({
      ...{ method, path, summary, access: "open" },
      handler: ({ params }) => ({
        headers: { "x-route": `${method} ${surface.prefix}${path}` },
        body: params,
      }),
    }),
  ),
}));

const silent = { info() {}, warn() {}, error() {} };
const services = {
  now: () => 0,
  steady: () => 0,
  id: () => "an-id",
  cors: createCors(["https://page.test"]),
  log: silent,
  refusalLog: { note() {} },
  addressOf: () => undefined,
  stopping: () => false,
  begun() {},
  ended() {},
  limits: { clientWriteTimeout: 1_000, clientBodyTimeout: 1_000 },
  catalog: { list: () => [] },
  guards: [],
} as unknown as Services;

/** The same app twice: with its direct routes, and by the router alone, as requests of WebSockets take it. */
let direct: Listening;
let routed: Listening;
beforeAll(async () => {
  const app: Mounted = mount(named, services);
  direct = await listen((request, response) => app.node(request, response));
  routed = await listen((request, response) => app.upgrade(request, response, async () => undefined));
});
afterAll(async () => {
  await direct.close();
  await routed.close();
});

async function send({ port }: Listening, [method, target]: readonly [string, string]): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(
    `${method} ${target} HTTP/1.1\r\nhost: gateway.test\r\norigin: https://page.test\r\nconnection: close\r\n\r\n`,
  );
  return (await text(socket)).replace(/^date:.*$/im, "");
}

const paths = named.flatMap(({ prefix, routes }) =>
  routes.map(({ path }) => (prefix + path).replace(/(?:\*\*)?:\w+/g, "some")),
);
const insertions = [
  "/",
  "//",
  ".",
  "..",
  "/./",
  "/../",
  "\\",
  "%2e",
  "%2F",
  "%61",
  "%",
  "?",
  "#",
  ":",
  ";",
  "é",
  "A",
];

/** A target that is a route's path, or one that was changed in some places. */
const targets = fc
  .record({
    path: fc.constantFrom(...paths),
    changes: fc.array(fc.tuple(fc.nat(80), fc.nat(2), fc.constantFrom(...insertions)), { maxLength: 2 }),
    respelled: fc.constantFrom<[string, string]>(
      ["", ""],
      ["", ""],
      ["chat", "Chat"],
      ["models", "MODELS"],
      ["a", "%61"],
      ["/v1", "//v1"],
    ),
    before: fc.constantFrom("", "", "", "http://other.test", "HTTP://gateway.test:80", "/", "."),
    after: fc.constantFrom("", "", "", "/", "?", "?a=1", "?a=/../b", '?a="', "/?b"),
  })
  .map(({ path, changes, respelled: [from, to], before, after }) => {
    const changed = changes.reduce(
      (target, [at, removed, put]) => target.slice(0, at) + put + target.slice(at + removed),
      path,
    );
    return before + changed.replace(from, to) + after;
  });
const methods = fc.constantFrom("GET", "POST", "HEAD", "PATCH", "DELETE", "PUT", "OPTIONS");

it("a request gets the same answer by its direct route as by the router", async () => {
  const reached = new Set<string>();
  const law = fc.asyncProperty(fc.tuple(methods, targets), async (request) => {
    const answer = await send(direct, request);
    expect(answer).toBe(await send(routed, request));
    const route = /^x-route: (.*)$/m.exec(answer)?.[1];
    if (route !== undefined) reached.add(route);
  });
  // Seldom found: a host that is none.
  const examples: [[string, string]][] = [[["GET", "HTTP://gateway.test:80;/api/admin/refusals?a=/../b"]]];
  await fc.assert(law, { numRuns: 1_500, examples });
  // The requests are not all refused.
  expect(reached.size).toBeGreaterThan(40);
});

it.each(
  named.flatMap(({ prefix, routes }) => routes.map(({ method, path }) => [method, prefix + path] as const)),
)("%s %s is reached both ways", async (method, path) => {
  const target = path.replace(/\*\*:\w+|:\w+/g, (part, at) =>
    at > 0 && part[0] === ":" && path[at - 1] !== "/" ? part : "some",
  );
  const answer = await send(direct, [method, target]);
  expect(answer).toContain(`x-route: ${method} ${path}`);
  expect(await send(routed, [method, target])).toBe(answer);
});
