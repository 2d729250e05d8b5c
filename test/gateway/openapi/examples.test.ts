import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
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

it("a refusal of every surface matches its documentation", async () => {
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

describe("documented explanations", () => {
  const explained = served.filter(({ route }) => route.explains);
  let stand: Stand;
  let validate: ValidateFunction;
  beforeAll(async () => {
    stand = await openStand();
    const answer = await stand.gateway.fetch(new Request("http://stand.test/openapi.json"));
    const document = (await answer.json()) as { components: object; paths: object };
    expect(JSON.stringify(document.paths)).toContain("#/components/schemas/Explanation");
    validate = ajv.compile({ ...document, $ref: "#/components/schemas/Explanation" });
  });
  afterAll(() => stand.close());

  it.each(explained)("an explanation of $route.method $path is as documented", async ({ route, path }) => {
    const [example] = Object.values(route.examples ?? {});
    const headers = { "x-explain": "true" };
    for (const body of [example?.body, { ...(example?.body as object), model: "nobody" }]) {
      const response = await stand.send(route, targetOf(path, example ?? {}), body, headers);
      const told = await response.json();
      validate(told);
      expect(validate.errors ?? [], JSON.stringify(told)).toEqual([]);
    }
  });
});

it("errors are documented with the header that names their source, and batches with their requests", async () => {
  const stand = await openStand();
  const answer = await stand.gateway.fetch(new Request("http://stand.test/openapi.json"));
  // biome-ignore lint/suspicious/noExplicitAny: a document of any shape
  const { paths } = (await answer.json()) as any;
  const chat = paths["/api/chatstyle/v1/chat/completions"].post;
  expect(chat.responses.default).toMatchObject({
    description: expect.stringContaining("by the provider"),
    headers: { "x-error-source": { schema: { enum: ["service", "provider"] } } },
  });
  const content = chat.responses["200"].content["application/json"].schema;
  expect(content.anyOf).toContainEqual({ $ref: "#/components/schemas/Explanation" });
  const batch = paths["/api/genstyle/v1beta/models/{model}:batchEmbedContents"].post;
  expect(batch.requestBody.content["application/json"].schema).toMatchObject({
    required: ["requests"],
    properties: { requests: { type: "array", minItems: 1, items: { type: "object" } } },
  });
  await stand.close();
});
