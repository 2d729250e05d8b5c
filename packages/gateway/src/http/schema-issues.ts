import { type KnownNames, sayUnknown } from "@manifold-gateway/core/capability";
import { type ZodError, type ZodType, z } from "zod";
import { quote } from "./refusal.ts";

/**
 * Converts a schema's issues to texts that name the field, and the model if it is known. Given the schema, an unknown
 * field is reported with the known ones.
 */
export function issuesOf(error: ZodError, model?: string, schema?: ZodType): string[] {
  const texts: string[] = [];
  const add = (issue: ZodError["issues"][number], base: PropertyKey[]): void => {
    const path = [...base, ...issue.path];
    // Of a union's alternatives, the one that matched furthest is probably what the caller meant.
    if (issue.code === "invalid_union" && issue.errors.length > 0) {
      const best = [...issue.errors].sort((a, b) => reach(b) - reach(a))[0] ?? [];
      if (best.length > 0 && reach(best) > 0) {
        for (const inner of best) add(inner, path);
        return;
      }
    }
    if (issue.code === "unrecognized_keys" && schema) {
      const known = namesOf(schema);
      texts.push(...issue.keys.map((key) => sayUnknown([...path, key], known)));
      return;
    }
    texts.push(`${path.length > 0 ? path.map(String).join(".") : "body"}: ${issue.message}`);
  };
  for (const issue of error.issues) add(issue, []);
  const where = model === undefined ? "" : ` (model ${quote(model)})`;
  return [...new Set(texts)].slice(0, 20).map((text) => `${text}${where}`);
}

const namesOf = (schema: ZodType): KnownNames =>
  z.toJSONSchema(schema, { io: "input", reused: "inline", unrepresentable: "any" }) as KnownNames;

const reach = (issues: readonly { path: PropertyKey[] }[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length));
