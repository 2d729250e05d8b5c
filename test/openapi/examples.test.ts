import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { expectAsTold } from "./holds.ts";
import { needsMedia, rows, targetOf } from "./routes.ts";
import { openStand } from "./stand.ts";

/** Neither media nor a connection of its own. */
const served = rows.filter(({ path, route }) => !needsMedia(path) && !route.opens);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

it("every route that needs no media has an example", () => {
  expect(served.filter(({ route }) => !route.examples).map(({ path }) => path)).toEqual([]);
});

describe.each(served)("$route.method $path", ({ route, path }) => {
  it.each(Object.entries(route.examples ?? {}))("%s is answered as it is told", async (_, example) => {
    const stand = await openStand();
    try {
      const response = await stand.send(route, targetOf(path, example), example.body);
      await expectAsTold(route, response);
    } finally {
      await stand.close();
    }
  });
});

it("a refusal of every surface holds to what is told of it", async () => {
  const stand = await openStand();
  const document = (await (
    await stand.gateway.fetch(new Request("http://stand.test/openapi.json"))
  ).json()) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>
    >;
    components: object;
  };
  for (const { route, path } of rows) {
    if (route.access === "open") continue;
    const { schema } =
      document.paths[path]![route.method.toLowerCase()]!.responses["401"]!.content["application/json"]!;
    const init = { method: route.method, ...(route.method === "POST" && { body: "{}" }) };
    const response = await stand.gateway.fetch(new Request(`http://stand.test${targetOf(path, {})}`, init));
    expect([path, response.status]).toEqual([path, 401]);
    const validate = ajv.compile({ ...schema, components: document.components });
    validate(await response.json());
    expect([path, validate.errors ?? []]).toEqual([path, []]);
  }
  await stand.close();
});
