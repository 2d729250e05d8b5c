/** What of JSON Schema the service's own schemas of a request's parameters are made of. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  properties?: Record<string, Schema | false>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
  description?: string;
}

/** One parameter as a form shows it. */
export interface Param {
  /** With dots where it is a member of another. */
  name: string;
  /** What people call it. */
  title: string;
  kind: "choice" | "flag" | "number" | "text" | "texts" | "json" | "refused";
  values: string[];
  isWhole: boolean;
  min?: number | undefined;
  max?: number | undefined;
  preset?: unknown;
  about?: string | undefined;
  /** The kind of each value, for the body. */
  isNumeric: boolean;
}

/** The parameters of a schema; `without` are those that the form asks for in another way. */
export function paramsOf(schema: Schema, without: readonly string[] = [], prefix = ""): Param[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, member]) => {
    const name = `${prefix}${key}`;
    if (without.includes(name)) return [];
    if (member !== false && member.properties !== undefined) return paramsOf(member, without, `${name}.`);
    return toParam(name, member);
  });
}

/** A name as people read it: `optimizePromptOptions.mode` is "Optimize prompt options, mode". */
function titleOf(name: string): string {
  const words = name
    .replaceAll(".", ", ")
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toParam(name: string, schema: Schema | false): Param[] {
  const bare = { name, title: titleOf(name), values: [], isWhole: false, isNumeric: false };
  if (schema === false) return [{ ...bare, kind: "refused" }];
  const { minimum: min, maximum: max, default: preset, description: about } = schema;
  const common = { ...bare, min, max, preset, about };
  const words = schema.enum ?? schema.anyOf?.flatMap((one) => one.enum ?? []) ?? [];
  const values = words.map(String);
  const isNumeric = typeof words[0] === "number";
  if (schema.enum) return [{ ...common, kind: "choice", values, isNumeric }];
  if (schema.type === "boolean") return [{ ...common, kind: "flag" }];
  if (schema.type === "integer" || schema.type === "number")
    return [{ ...common, kind: "number", isNumeric: true, isWhole: schema.type === "integer" }];
  // Lists and objects of any shape have no field of their own.
  if (schema.type === "array" || schema.type === "object") return [];
  return [{ ...common, kind: "text", values }];
}

/** What was filled in, by the names of the parameters; what is absent or empty is not said. */
export type Filled = Readonly<Record<string, string | undefined>>;

/** The members of a body that a filled form is. */
export function toBody(params: readonly Param[], filled: Filled): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, kind, isNumeric } of params) {
    const text = filled[name];
    if (text === undefined || text === "" || kind === "refused") continue;
    const value = kind === "flag" ? text === "true" : isNumeric ? Number(text) : text;
    const path = name.split(".");
    const last = path.pop() as string;
    let at = body;
    for (const step of path) {
      at[step] ??= {};
      at = at[step] as Record<string, unknown>;
    }
    at[last] = value;
  }
  return body;
}

/** A kind of media that a model takes beside the prompt. */
export interface MediaInput {
  kind: "image" | "video" | "audio";
  roles: string[];
  mediaTypes: string[];
  /** The part that names an identity asset of this kind, where the model takes one. */
  assetPart?: string;
}

const KINDS = ["image", "video", "audio"] as const;

/** The media that the schema of a request's content takes. */
export function inputsOf({ properties = {} }: Schema): MediaInput[] {
  const { content = false } = properties;
  const parts = content === false ? [] : (content.items?.anyOf ?? []);
  return parts.flatMap(({ properties: part = {} }) => {
    const types = valuesOf(part.type);
    const kind = KINDS.find((one) => types[0]?.startsWith(one));
    if (!kind) return [];
    const assetPart = types.find((type) => type.startsWith("kyc"));
    return [
      {
        kind,
        roles: valuesOf(part.role),
        mediaTypes: valuesOf(part.mediaType),
        ...(assetPart !== undefined && { assetPart }),
      },
    ];
  });
}

const valuesOf = (schema: Schema | false | undefined): string[] =>
  (schema ? (schema.enum ?? []) : []).map(String);
