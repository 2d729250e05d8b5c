import { surfaces, toOpenApi } from "@manifold-gateway/gateway";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import pack from "../../../packages/gateway/package.json" with { type: "json" };
import { rows } from "./routes.ts";

interface Media {
  schema: object;
  examples?: Record<string, { value: unknown }>;
  example?: unknown;
}
interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters: { name: string; in: string; examples?: Record<string, { value: unknown }> }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}
interface Document {
  info: { version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object; securitySchemes: object };
}

const json = toOpenApi(surfaces);
const document = json as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
ajv.addSchema({ $id: "document", ...json });
const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");
/** What a schema of the document, named by the way to it, has against a value. */
const against = (way: readonly string[], value: unknown): unknown => {
  const $ref = encodeURI(`document#/${way.map(escaped).join("/")}`);
  const validate = ajv.compile({ $ref });
  return validate(value) ? [] : validate.errors;
};

describe("the OpenAPI document", () => {
  it("the document is OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(json));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(json.openapi).toMatch(/^3\.1\./);
  });

  it("the document has every route of every surface, and nothing else", () => {
    const told = operations.map(({ name }) => name).sort();
    expect(told).toEqual(rows.map(({ route, path }) => `${route.method} ${path}`).sort());
    expect(told.length).toBeGreaterThan(60);
  });

  it("the document names each operation once, and has the version of the package", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^\w+$/);
    expect(document.info.version).toBe(pack.version);
  });

  it("the document has no dangling references", () => {
    const text = JSON.stringify(json);
    const schemas = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, id]) => id);
    expect(schemas.length).toBeGreaterThan(0);
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(schemas));
    const ways = operations.flatMap(({ operation }) => operation.security.flatMap((way) => Object.keys(way)));
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual([...new Set(ways)].sort());
  });
});

describe.each(operations)("$name", ({ path, name, operation }) => {
  const method = name.split(" ", 1)[0]!.toLowerCase();
  const at = ["paths", path, method];
  const { route } = rows.find((row) => row.path === path && row.route.method.toLowerCase() === method)!;

  it("an operation describes its refusals", () => {
    expect(Object.keys(operation.responses)).toContain("default");
    expect(Object.keys(operation.responses).includes("401")).toBe(route.access !== "open");
    expect(operation.security.length > 0).toBe(route.access !== "open");
  });

  it("an operation names the parameters of its path, and no others", () => {
    const named = operation.parameters.filter((one) => one.in === "path").map((one) => one.name);
    expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter));
  });

  it("an operation has examples that match its schemas", () => {
    operation.parameters.forEach(({ examples = {} }, i) => {
      for (const { value } of Object.values(examples))
        expect(againstText([...at, "parameters", String(i), "schema"], value)).toEqual([]);
    });
    const places: [string[], Media][] = [];
    for (const [type, media] of Object.entries(operation.requestBody?.content ?? {}))
      places.push([[...at, "requestBody", "content", type], media]);
    for (const [status, { content = {} }] of Object.entries(operation.responses))
      for (const [type, media] of Object.entries(content))
        places.push([[...at, "responses", status, "content", type], media]);
    for (const [way, { examples = {}, example }] of places) {
      for (const { value } of Object.values(examples)) expect(against([...way, "schema"], value)).toEqual([]);
      if (example !== undefined) expect(against([...way, "schema"], example)).toEqual([]);
    }
  });
});

/** Parameters are written as text: a number among them holds as the number that it writes. */
function againstText(way: readonly string[], value: unknown): unknown {
  const asText = against(way, value);
  return Array.isArray(asText) && asText.length === 0 ? [] : against(way, Number(value));
}
