import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rows, targetOf } from "./routes.ts";
import { openStand } from "./stand.ts";

/** Rows that need more than the stand has: files, jobs, and what these made. */
const needsMedia = (path: string): boolean => /\/(images?|videos?|audio|kyc|objects)\//.test(`${path}/`);

const served = rows.filter(({ path }) => !needsMedia(path));
const ajv = new Ajv2020({ strict: false, validateFormats: false });

it("every route that needs no media has an example", () => {
  expect(served.filter(({ route }) => !route.examples).map(({ path }) => path)).toEqual([]);
});

describe.each(served)("$route.method $path", ({ route, path }) => {
  it.each(Object.entries(route.examples ?? {}))("%s is answered as it is told", async (_, example) => {
    const stand = await openStand();
    try {
      const response = await stand.send(route, targetOf(path, example), example.body);
      const text = await response.text();
      expect(route.statuses ?? [200], text).toContain(response.status);
      const type = response.headers.get("content-type")?.split(";")[0] ?? "";
      if (route.method === "HEAD") return expect(text).toBe("");
      if (type !== "application/json" || !route.answer)
        return expect(Object.keys(route.also ?? {})).toContain(type);
      // As it goes out: a field that the schema does not name would be one that nobody is told of.
      const schema = z.toJSONSchema(route.answer, { io: "output", unrepresentable: "any" });
      const validate = ajv.compile(schema as object);
      validate(JSON.parse(text));
      expect(validate.errors ?? [], text).toEqual([]);
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
