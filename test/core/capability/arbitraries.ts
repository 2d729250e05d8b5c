import type { Ask, Capabilities, ParamRule, RequestedPart } from "@manifold-gateway/core/capability";
import type { JsonObject } from "@manifold-gateway/core/codec";
import fc from "fast-check";
import type { RequestedParam } from "../../../packages/core/src/capability/ask.ts";
import type { Clause, CrossRule, Inputs } from "../../../packages/core/src/capability/schema.ts";

/** Fields that nobody knows, and the parameter that each of them is a misspelling of. */
export const misspelt: Record<string, string | undefined> = {
  watermrk: "watermark",
  durration: "duration",
  camera_fixed: "cameraFixed",
  qwertyuiop: undefined,
  __proto__x: undefined,
};

/** Parameters of videos, one that is a member, and names that every object has. */
export const flatNames = [
  "duration",
  "resolution",
  "watermark",
  "seed",
  "cameraFixed",
  "constructor",
  "toString",
];
export const memberNames = ["shot.mode", "shot.speed"];
const names = [...flatNames, ...memberNames];

const small = fc.integer({ min: -5, max: 20 });
const numbers = fc.uniqueArray(small, { minLength: 1, maxLength: 4 });
const words = fc.uniqueArray(fc.constantFrom("480p", "720p", "4k", "auto", "5", "true"), {
  minLength: 1,
  maxLength: 4,
});
const ends = fc.tuple(small, small).map(([a, b]) => (a < b ? { min: a, max: b } : { min: b, max: a }));
const maybe = <T>(value: T): fc.Arbitrary<T | undefined> => fc.constantFrom(value, undefined);

/** `record` without what is undefined: as a catalog would have it. */
const given = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;

const paramRule: fc.Arbitrary<ParamRule> = fc.oneof(
  fc
    .oneof(words, numbers)
    .chain((values) => maybe(values[0]).map((first) => given({ type: "enum", values, default: first }))),
  ends.chain(({ min, max }) =>
    fc
      .tuple(
        fc.option(fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }), {
          nil: undefined,
        }),
        maybe("seconds"),
        fc.boolean(),
      )
      .map(([steps, unit, set]) =>
        given({ type: "range", min, max, steps, unit, default: set ? (steps?.[0] ?? max) : undefined }),
      ),
  ),
  ends.chain(({ min, max }) =>
    maybe(min).map((value) => given({ type: "int" as const, min, max, default: value })),
  ),
  maybe(true).map((value) => given({ type: "bool", default: value })),
) as fc.Arbitrary<ParamRule>;

const roles = ["firstFrame", "lastFrame", "referenceImage"];
const few = fc.integer({ min: 0, max: 3 });
const inputRule = fc
  .record(
    {
      min: fc.integer({ min: 0, max: 1 }),
      max: few,
      roles: fc.dictionary(
        fc.constantFrom(...roles),
        fc.oneof(
          fc.constant({}),
          few.map((max) => ({ max })),
        ),
      ),
      forms: fc.uniqueArray(fc.constantFrom("url" as const, "base64" as const, "asset" as const), {
        minLength: 1,
      }),
      mediaTypes: fc.uniqueArray(fc.constantFrom("image/png", "audio/wav", "video/mp4"), { minLength: 1 }),
      maxBytes: fc.integer({ min: 0, max: 9 }),
      seconds: fc.constantFrom({ min: 2 }, { max: 9 }, { min: 2, max: 9 }),
      totalSeconds: fc.integer({ min: 0, max: 20 }),
      shape: fc.constantFrom({ multipleOf: 16 }, { ratio: 2, edge: { max: 64 } }, { pixels: { min: 300 } }),
    },
    { requiredKeys: [] },
  )
  .map((rule) => given(rule));
const inputs: fc.Arbitrary<Inputs> = fc.record(
  { image: inputRule, audio: inputRule, video: inputRule, total: few },
  { requiredKeys: [] },
);

const scalar = fc.oneof(
  small,
  fc.constantFrom("480p", "720p", "4k", "auto", "5", "true", "64x64", "16x160", "0x5", "64x"),
  fc.boolean(),
);
const clause: fc.Arbitrary<Clause> = fc.oneof(
  fc.record(
    { field: fc.constantFrom(...names), is: fc.array(scalar, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: ["field"] },
  ),
  fc.record(
    {
      input: fc.constantFrom("image" as const, "audio" as const, "video" as const),
      roles: fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1 }),
      forms: fc.uniqueArray(fc.constantFrom("url" as const, "base64" as const), { minLength: 1 }),
      count: fc.constantFrom({ max: 1 }, { min: 2 }, { min: 1, max: 2 }),
    },
    { requiredKeys: ["input"] },
  ),
) as fc.Arbitrary<Clause>;
const clauses = fc.array(clause, { minLength: 1, maxLength: 2 });
const crossRule: fc.Arbitrary<CrossRule> = fc.oneof(
  fc.record({ type: fc.constant("requires" as const), if: clause, need: clauses }),
  fc.record({ type: fc.constant("excludes" as const), if: clause, not: clauses }),
  fc.record({ type: fc.constant("never" as const), if: clause }),
  fc.record({ type: fc.constant("sum" as const), of: clauses, max: fc.integer({ min: 0, max: 8 }) }),
  fc.record({
    type: fc.constant("size" as const),
    field: fc.constantFrom("resolution", "seed"),
    words: fc.constantFrom(["auto"], ["4k", "5"]),
    shape: fc.constantFrom({ multipleOf: 16 }, { ratio: 2, edge: { min: 16, max: 64 } }),
  }),
) as fc.Arbitrary<CrossRule>;

/** Rules of one operation. Members and their objects are never both named, nor is a name both listed and not. */
export const capabilities: fc.Arbitrary<Capabilities> = fc
  .record(
    {
      strictParams: fc.boolean(),
      flat: fc.boolean(),
      params: fc.dictionary(fc.constantFrom(...names), paramRule, { noNullPrototype: true }),
      supportedParameters: fc.uniqueArray(fc.constantFrom(...names)),
      unsupported: fc.dictionary(
        fc.constantFrom(...flatNames),
        fc.constantFrom("refuse" as const, "drop" as const),
        {
          noNullPrototype: true,
        },
      ),
      inputs,
      rules: fc.array(crossRule, { maxLength: 3 }),
    },
    { requiredKeys: ["flat"] },
  )
  .map(({ strictParams, flat, unsupported = {}, ...rest }) => {
    const listed = [...Object.keys(rest.params ?? {}), ...(rest.supportedParameters ?? [])];
    const { supportedParameters, ...top } = given(rest);
    const area = given({
      supportedParameters,
      unsupported: Object.fromEntries(Object.entries(unsupported).filter(([name]) => !listed.includes(name))),
    });
    const strict = strictParams === undefined ? {} : { strictParams };
    return flat ? { ...strict, ...top, video: area } : { ...strict, video: { ...top, ...area } };
  });

const odd = fc.oneof(
  scalar,
  fc.constantFrom<unknown>(Number.NaN, Number.POSITIVE_INFINITY, -0, 4.5, "", [], [4], 1e300),
);
const object = fc.oneof(
  fc.record({ mode: odd, speed: odd, other: odd }, { requiredKeys: [] }),
  fc.constantFrom<unknown>("text", 7, []),
);

/** A part as the native interface has it, and what else may be known of it. */
const part = fc
  .record(
    {
      type: fc.constantFrom(
        "text",
        "imageUrl",
        "imageBase64",
        "videoUrl",
        "videoBase64",
        "audioUrl",
        "kycImageAssetId",
      ),
      role: fc.constantFrom(...roles, "referenceAudio"),
      mediaType: fc.constantFrom("image/png", "audio/wav", "image/gif"),
    },
    { requiredKeys: ["type"] },
  )
  .map((part) => given({ ...part, ...(part.type.endsWith("Base64") && { data: "QUJD" }) }));

/** A body of the native interface, with fields that nobody knows among the others. */
export const body: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...flatNames, ...Object.keys(misspelt)), odd, { noNullPrototype: true }),
    fc.option(object, { nil: undefined }),
    fc.option(fc.array(part, { maxLength: 5 }), { nil: undefined }),
  )
  .map(([fields, shot, content]) => given({ ...fields, shot, content }) as JsonObject);

/** Values that a rule allows. */
const allowedBy = (rule: ParamRule): unknown[] =>
  rule.type === "enum"
    ? rule.values
    : rule.type === "bool"
      ? [true, false]
      : ("steps" in rule && rule.steps) || [rule.min, rule.max];

/** A body that keeps the bounds of its parameters, whatever else it breaks. */
const tameBody = (rules: Capabilities): fc.Arbitrary<JsonObject> => {
  const bounded = Object.entries({ ...rules.params, ...rules.video?.params });
  const fields = bounded.map(([name, rule]) =>
    fc.option(
      fc.constantFrom(...allowedBy(rule)).map((value) => [name, value] as const),
      { freq: 1, nil: undefined },
    ),
  );
  return fc
    .tuple(fc.tuple(...fields), fc.option(fc.array(part, { maxLength: 3 }), { nil: undefined }))
    .map(([chosen, content]) => {
      const set = chosen.filter((field) => field !== undefined);
      const inner = set.flatMap(([name, value]) =>
        name.startsWith("shot.") ? [[name.slice(5), value]] : [],
      );
      const outer = set.filter(([name]) => !name.startsWith("shot."));
      const shot = inner.length > 0 ? Object.fromEntries(inner) : undefined;
      return given({ ...Object.fromEntries(outer), shot, content }) as JsonObject;
    });
};

/** Rules, and bodies that break some of them. */
export const asks: fc.Arbitrary<[Capabilities, JsonObject[]]> = capabilities.chain((rules) =>
  fc.tuple(fc.constant(rules), fc.array(fc.oneof(body, tameBody(rules)), { minLength: 4, maxLength: 10 })),
);

/** What probing may have found out of each part. */
export const probes: fc.Arbitrary<Partial<RequestedPart>[]> = fc.array(
  fc.record(
    {
      bytes: fc.integer({ min: 0, max: 12 }),
      seconds: fc.integer({ min: 0, max: 12 }),
      width: fc.constantFrom(16, 17, 32, 128),
      height: fc.constantFrom(16, 30, 64),
    },
    { requiredKeys: [] },
  ),
  { minLength: 5, maxLength: 5 },
);

/** A name that an object literal cannot hold as its own. */
export const proto = (ask: Ask): Ask => ({
  ...ask,
  params: [...ask.params, { name: "__proto__", path: "/__proto__", value: 1 } satisfies RequestedParam],
});
