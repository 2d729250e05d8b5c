import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectAsTold } from "./holds.ts";
import { needsMedia, rows, targetOf } from "./routes.ts";
import { openStand, type Stand } from "./stand.ts";

/** Neither media nor a connection of its own. */
const served = rows.filter(({ path, route }) => !needsMedia(path) && !route.opens);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

it("every route that needs no media has an example", () => {
  expect(served.filter(({ route }) => !route.examples).map(({ path }) => path)).toEqual([]);
});

describe("examples", () => {
  /** Where nothing is changed, so that examples which only read can share it. */
  let unchanged: Stand;
  beforeAll(async () => {
    unchanged = await openStand();
  });
  afterAll(() => unchanged.close());

  describe.each(served)("$route.method $path", ({ route, path }) => {
    it.each(Object.entries(route.examples ?? {}))("%s is answered as documented", async (_, example) => {
      const isRead = route.method === "GET";
      const stand = isRead ? unchanged : await openStand();
      try {
        const response = await stand.send(route, targetOf(path, example), example.body);
        await expectAsTold(route, response);
      } finally {
        if (!isRead) await stand.close();
      }
    });
  });
});

describe("errors", () => {
  let stand: Stand;
  let document: {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
    components: object;
  };
  beforeAll(async () => {
    stand = await openStand();
    const response = await stand.gateway.fetch(new Request("http://stand.test/openapi.json"));
    document = await response.json();
  });
  afterAll(() => stand.close());

  /** The faults of an error by the schema that the document has for a status of a route. */
  const faultsOf = (path: string, method: string, status: string, body: unknown) => {
    const { schema } =
      document.paths[path]![method.toLowerCase()]!.responses[status]!.content["application/json"]!;
    const validate = ajv.compile({ ...schema, components: document.components });
    validate(body);
    return validate.errors ?? [];
  };

  it("a refusal of every surface matches its documentation", async () => {
    for (const { route, path } of rows) {
      if (route.access === "open") continue;
      const init = { method: route.method, ...(route.method === "POST" && { body: "{}" }) };
      const response = await stand.gateway.fetch(new Request(`http://stand.test${targetOf(path, {})}`, init));
      expect([path, response.status]).toEqual([path, 401]);
      expect([path, faultsOf(path, route.method, "401", await response.json())]).toEqual([path, []]);
    }
  });

  it("a provider's error on the native interface matches its documentation", async () => {
    const path = "/api/v1/text/completions";
    const { route } = rows.find((row) => row.path === path)!;
    const messages = [{ role: "user", content: "[[fault:status=400]]" }];
    const response = await stand.send(route, targetOf(path, {}), { model: "sim-chat", messages });
    const body = await response.json();
    expect([response.status, body]).toEqual([400, { error: expect.anything() }]);
    expect(faultsOf(path, "POST", "default", body)).toEqual([]);
  });
});
