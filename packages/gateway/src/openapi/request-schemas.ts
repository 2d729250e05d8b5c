import { lookup, validate } from "@manifold-gateway/core/codec";
import type { Node, ObjectNode, Validator, VariantNode } from "@manifold-gateway/core/schema";
import { plainWords } from "@manifold-gateway/core/schema";
import { z } from "zod";

/**
 * The schema of a codec's requests, documented under this id. A codec's own zod schema is documented as it is; of one
 * that cannot be read only that it takes objects.
 */
export function documented(schema: Validator<unknown>, id: string): z.ZodType {
  const known = schema as Validator<unknown> & { node?: Node; _zod?: unknown };
  if (known.node) return zodOf(known.node).meta({ id });
  const copy = known._zod ? (schema as unknown as z.ZodType).clone() : z.looseObject({});
  z.globalRegistry.add(copy, { id });
  return copy;
}

/** A wire's schema as zod has it: it accepts the same values, and finds the same faults. */
export function zodOf(node: Node): z.ZodType {
  const schema = plain(node);
  if (node.optional) return node.nullable ? schema.nullish() : schema.optional();
  return node.nullable ? schema.nullable() : schema;
}

function plain(node: Node): z.ZodType {
  switch (node.kind) {
    case "any":
      return z.unknown();
    case "boolean":
      return z.boolean();
    case "string": {
      const { min, pattern, message } = node;
      const text = min === undefined ? z.string() : z.string().min(min, message);
      return pattern ? text.regex(pattern, message) : text;
    }
    case "number": {
      const { integer, min, max } = node;
      let value = integer ? z.number().int() : z.number();
      if (min !== undefined) value = value.min(min);
      return max === undefined ? value : value.max(max);
    }
    case "enum":
      return node.values.length === 1 ? z.literal(node.values[0]) : z.enum(node.values);
    case "record":
      return z.record(z.string(), node.values ? zodOf(node.values) : z.unknown(), node.message);
    case "array": {
      const list = z.array(zodOf(node.items));
      return node.min === undefined ? list : list.min(node.min, node.message);
    }
    case "object":
      return ofObject(node);
    case "union":
      return z.union(node.options.map(zodOf), node.message);
    case "variant":
      return ofVariant(node);
  }
}

const looseObject = ({ members }: ObjectNode): z.ZodObject =>
  z.looseObject(Object.fromEntries(Object.entries(members).map(([name, member]) => [name, zodOf(member)])));

function ofObject(node: ObjectNode): z.ZodType {
  const schema = looseObject(node);
  const { needs } = node;
  if (!needs) return schema;
  return schema.superRefine((value, context) => {
    const word = value[needs.by] ?? needs.absent;
    const member = typeof word === "string" ? lookup(needs.members, word) : undefined;
    if (member === undefined || (value[member] !== undefined && value[member] !== null)) return;
    const message = `A ${needs.noun} of ${needs.by} "${word}" needs "${member}"`;
    context.addIssue({ code: "custom", path: [member], message });
  });
}

const ofVariant = (node: VariantNode): z.ZodType => (node.closed ? ofClosed(node) : ofOpen(node));

function ofClosed({ by, cases, message }: VariantNode): z.ZodType {
  const options = Object.entries(cases).map(([word, node]) =>
    looseObject(node).extend({ [by]: z.literal(word) }),
  );
  return z.discriminatedUnion(by, options as [z.ZodObject], message);
}

/** What all cases have in common is documented; the schema of each case is a check in code. */
function ofOpen({ common, by, cases, absent }: VariantNode): z.ZodType {
  const schemas = Object.fromEntries(Object.entries(cases).map(([word, node]) => [word, zodOf(node)]));
  return looseObject(common).superRefine((value, context) => {
    const word = value[by] ?? absent?.(value);
    const one = typeof word === "string" ? lookup(schemas, word) : undefined;
    for (const issue of (one && validate(one, value, plainWords).error?.issues) ?? [])
      context.addIssue({ ...issue });
  });
}
