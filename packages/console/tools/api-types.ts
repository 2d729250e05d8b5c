// Generates the types of the routes that the console calls from the gateway's OpenAPI document.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { surfaces, toOpenApi } from "@manifold-gateway/gateway";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";

const FILE = join(import.meta.dirname, "../web/src/api/schema.d.ts");

/** The vendors' wires have clients of their own; the playground encodes them by the codecs. */
const USED = new Set(["native", "account", "auth", "admin", "keys"]);

interface Operation {
  parameters?: { in: string }[];
  responses: Record<string, { headers?: unknown }>;
}

/** The console reads one envelope for every failure, and no headers: they would be most of the text. */
function withoutNoise(document: { paths: Record<string, Record<string, Operation>> }): unknown {
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      operation.parameters = (operation.parameters ?? []).filter((one) => one.in !== "header");
      for (const [status, response] of Object.entries(operation.responses)) {
        delete response.headers;
        if (!status.startsWith("2")) delete operation.responses[status];
      }
    }
  return document;
}

const document = structuredClone(toOpenApi(surfaces.filter(({ name }) => USED.has(name))));
const nodes = await openapiTS(withoutNoise(document as never) as OpenAPI3);
const text = astToString(nodes)
  .replace(/^ *\w+\??: never;\n/gm, "")
  .replace(/^ *parameters: \{\n *\};\n/gm, "");
writeFileSync(FILE, text);
