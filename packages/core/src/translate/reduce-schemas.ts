import { noDialect } from "../codec/no-dialect.ts";
import type { OptionalKeyword } from "../dialect/keywords.ts";
import type { TextRequest, Tool } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";
import type { Json } from "../json/json.ts";

/** Leaves keywords that the model refuses out of the schemas of tools and of the answer. */
export function reduceSchemas(
  request: TextRequest,
  keywords: readonly OptionalKeyword[],
  lose: Lose,
  dialect = noDialect,
): TextRequest {
  const reduce = (schema: Json, path: string): Json => {
    const found = new Set<string>();
    const reduced = dialect.withoutKeywords(schema, keywords, (keyword) => found.add(keyword));
    for (const keyword of found)
      lose(`${path}/schema`, "approximated", `${keyword} is left out: the model refuses it`);
    return reduced;
  };
  const tools = request.tools?.map((tool, i): Tool => {
    if (tool.type !== "function" || tool.schema === undefined) return tool;
    const schema = reduce(tool.schema, `/tools/${i}`);
    return schema === tool.schema ? tool : { ...tool, schema };
  });
  const { format } = request;
  const reduced =
    format?.type === "schema" ? { ...format, schema: reduce(format.schema, "/format") } : format;
  return { ...request, ...(tools && { tools }), ...(reduced && { format: reduced }) };
}
