import { type AnyCodec, collectLosses, type Loss } from "@manifold-gateway/core";
import { askOf, check, type Issue } from "@manifold-gateway/core/capability";
import { findingsOf } from "@manifold-gateway/core/check";
import {
  addressesIn,
  chatExtensions,
  isObject,
  type Json,
  type JsonObject,
  snake,
} from "@manifold-gateway/core/codec";
import type { Message, ParamKinds, ParamName, Params } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import { factOf, paramNames } from "../../packages/core/src/ir/params.ts";
import { chapters } from "../matrix/chapters.ts";
import { overlay } from "../matrix/pattern.ts";
import { samples } from "../support/params.ts";
import { wires } from "../support/wires/index.ts";
import { every, generous } from "./fixtures.ts";

/** Values of parameters that the one of their kind does not suit: no wire takes it as it is, or without another. */
const particular: { [Name in ParamName]?: Params } = {
  maxTokens: { maxTokens: 100 },
  modalities: { modalities: ["image"] },
  topLogprobs: { topLogprobs: 1, logprobs: true },
  serviceTier: { serviceTier: "standard" },
  safetyId: { safetyId: "id", user: "user" },
};
const sampleOf = (name: ParamName): Params => particular[name] ?? { [name]: samples[factOf(name).kind] };

function encode(codec: AnyCodec, params: Params, traits = generous): { wire: JsonObject; losses: Loss[] } {
  const { losses, lose } = collectLosses();
  const messages: Message[] = [{ role: "user", parts: [{ type: "text", text: "Hi" }] }];
  const request = { model: "m", stream: true, messages, params };
  return { wire: codec.request.encode(request, lose, traits) as JsonObject, losses };
}

/** The loss of a parameter as a whole. */
const isLost = (losses: Loss[], name: ParamName): boolean =>
  losses.some(({ path, why }) => path === `/params/${name}` && why === "unsupported");

const at = (wire: Json | undefined, path: string): Json | undefined =>
  path.split(".").reduce((value, key) => (isObject(value) ? value[key] : undefined), wire);
const nest = (path: string, value: Json): Json =>
  path.split(".").reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

/** A small request of the wire with a value at a path. The second id of a user is read only beside the first. */
function place(codec: AnyCodec, path: string, value: Json, name: ParamName): unknown {
  const { wire } = encode(codec, {});
  return overlay(name === "safetyId" ? { ...wire, user: "user" } : wire, nest(path, value));
}

interface Place {
  codec: AnyCodec;
  name: ParamName;
  path: string;
  /** What the wire has there for the sample of the parameter. */
  value: Json;
}
const places = every.flatMap((codec) =>
  codec.params.flatMap(({ name, wire, also = [], read }) =>
    [wire, ...also].map((path): [string, string, Place] => {
      const sample = sampleOf(name);
      const value = read ? at(encode(codec, sample).wire, wire) : sample[name];
      return [codec.protocol, path, { codec, name, path, value: value as Json }];
    }),
  ),
);

describe("a parameter of a wire's table", () => {
  test.each(places)("is kept by the schema of the wire and read: %s %s", (_, _path, each) => {
    const { codec, name, path, value } = each;
    const parsed = codec.request.schema.parse(place(codec, path, value, name));
    expect(at(parsed as JsonObject, path)).toEqual(value);
    expect(codec.request.decode(parsed).params[name]).toEqual(sampleOf(name)[name]);
  });

  test.each(places)("is refused by the schema of the wire if its kind is wrong: %s %s", (_, _path, each) => {
    const { codec, name, path, value } = each;
    const wrong = place(codec, path, typeof value === "number" ? "much" : 7, name);
    const issues = codec.request.schema.safeParse(wrong).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join("."))).toContain(path);
  });

  test.each(places)("is written to the place that it is read from: %s %s", (_, _path, { codec, name }) => {
    const { wire, losses } = encode(codec, sampleOf(name));
    const written = codec.params.find((row) => row.name === name)?.wire ?? "";
    expect({ value: at(wire, written), lost: isLost(losses, name) }).toEqual({
      value: expect.anything(),
      lost: false,
    });
  });

  test.each(places)(
    "is lost for a model without sampling if it is sampling: %s %s",
    (_, path, { codec, name }) => {
      const { wire, losses } = encode(codec, sampleOf(name), { ...generous, sampling: false });
      expect(isLost(losses, name)).toBe(factOf(name).sampling === true);
      if (factOf(name).sampling) expect(at(wire, path)).toBeUndefined();
    },
  );

  test.each(places.filter(([, , { name }]) => name !== "maxTokens"))(
    "is lost for a model that refuses it: %s %s",
    (_, path, { codec, name }) => {
      const { wire, losses } = encode(codec, sampleOf(name), { ...generous, refuses: [name as "stop"] });
      expect({ lost: isLost(losses, name), value: at(wire, path) }).toEqual({ lost: true, value: undefined });
    },
  );

  const numbers = places.filter(([, , { name }]) => factOf(name).kind === "number" && name !== "maxTokens");
  test.each(numbers)(
    "becomes the nearest of the values that the model accepts: %s %s",
    (_, _path, { codec, name }) => {
      const accepts = { [name]: [-1_000, 1_000_000] };
      const { wire, losses } = encode(codec, sampleOf(name), { ...generous, accepts });
      const written = codec.params.find((row) => row.name === name)?.wire ?? "";
      expect(at(wire, written)).toBe(-1_000);
      expect(losses).toContainEqual(
        expect.objectContaining({ path: `/params/${name}`, why: "approximated" }),
      );
    },
  );

  test.each(places)(
    "is a documented member of the wire's requests: %s %s",
    (_, path, { codec: { billing } }) => {
      const [first = "", second = ""] = path.split(".");
      expect(billing.members).toContain(first);
      expect(billing.records?.[first] ?? [second]).toContain(second);
    },
  );

  const url = "https://example.com/a";
  const addresses: Partial<ParamKinds> = { text: url, texts: [url], labels: { page: url } };
  test.each(places.filter(([, , { name }]) => factOf(name).kind in addresses))(
    "is not taken for an address that upstream fetches: %s %s",
    (_, path, { codec, name }) => {
      const value = addresses[factOf(name).kind] as Json;
      const spelled = [path, snake(path)].map((each) => nest(each, value) as JsonObject);
      expect(spelled.flatMap((wire) => addressesIn(wire, codec.unfetched))).toEqual([]);
    },
  );

  const billed: [ParamName, (codec: AnyCodec) => string[]][] = [
    ["maxTokens", ({ billing }) => billing.limits.map((keys) => keys.join("."))],
    ["candidates", ({ billing }) => billing.alternatives.map((keys) => keys.join("."))],
    ["serviceTier", ({ billing }) => Object.keys(billing.modes)],
  ];
  test.each(
    billed.flatMap(([name, known]) =>
      places
        .filter(([, , place]) => place.name === name)
        .map(([protocol, path, { codec }]) => [protocol, path, known(codec)] as const),
    ),
  )("is counted where the vendor's price depends on it: %s %s", (_, path, known) => {
    expect(known).toContain(path);
  });
});

describe.each(every)("the table of parameters of $protocol", ({ params }) => {
  test("has one parameter at each place of the wire", () => {
    const named = Map.groupBy(
      params
        // The second id of a user shares the place of the first.
        .filter(({ name }) => name !== "safetyId")
        .flatMap(({ name, wire, also = [] }) => [wire, ...also].map((path) => ({ name, path }))),
      ({ path }) => path,
    );
    const shared = [...named].filter(([, rows]) => rows.length > 1);
    expect(shared.map(([path, rows]) => `${path}: ${rows.map(({ name }) => name).join(", ")}`)).toEqual([]);
  });
});

describe("the table of parameters", () => {
  test.each(paramNames)("has no row that no provider can be sent: %s", (name) => {
    const having = every.filter(
      ({ protocol, params }) => protocol !== "native" && params.some((row) => row.name === name),
    );
    expect(having).not.toEqual([]);
  });

  test.each(paramNames)("has no row that the matrix has no probe for: %s", (name) => {
    const probes = chapters.flatMap(({ way, features }) => (way === "ask" ? features : []));
    const requested = every.flatMap((codec) =>
      probes.flatMap(({ said }) => {
        const words = said[codec.protocol];
        if (!words) return [];
        const wire = overlay(wires[codec.protocol].request, words) as JsonObject;
        return Object.keys(codec.request.decode(codec.request.schema.parse(wire)).params);
      }),
    );
    // The second id of a user is no feature of its own.
    expect(name === "safetyId" || requested.includes(name)).toBe(true);
  });

  const unsupported = (params: Params, strictParams = true): Issue[] =>
    check(
      { strictParams, text: { supportedParameters: [] } },
      askOf({ model: "m", stream: true, messages: [], params }),
    );
  test.each(paramNames)("says what a model has to list, and the rest is no reason to refuse: %s", (name) => {
    const [asked] = [2, sampleOf(name)[name]].filter((value) => typeof value === typeof sampleOf(name)[name]);
    const effects = unsupported({ [name]: asked }).map(({ effect }) => effect);
    expect(effects).toEqual(factOf(name).listed === false ? [] : ["refuse"]);
  });

  test.each(paramNames.filter((name) => factOf(name).neutral && factOf(name).listed !== false))(
    "loses nothing by what asks for nothing, unless the model refuses all that it does not list: %s",
    (name) => {
      for (const value of factOf(name).neutral ?? []) {
        expect(unsupported({ [name]: value as never })).toMatchObject([{ effect: "refuse", name }]);
        const issues = unsupported({ [name]: value as never }, false);
        expect(issues).toMatchObject([{ effect: "drop", neutral: true, name }]);
        expect(findingsOf(issues)).toMatchObject({ losses: [] });
      }
    },
  );

  test.each(paramNames.filter((name) => factOf(name).extension !== undefined))(
    "has extensions of the chat wire, which only a model that has them gets: %s",
    (name) => {
      const chat = every.find(({ protocol }) => protocol === "chatstyle") as AnyCodec;
      const extension = factOf(name).extension as string;
      const path = chat.params.find((row) => row.name === name)?.wire ?? "";
      const others = chatExtensions.filter((each) => each !== extension);
      expect(encode(chat, sampleOf(name), { extensions: others }).losses).toMatchObject([
        { path: `/params/${name}`, why: "unsupported" },
      ]);
      const { wire, losses } = encode(chat, sampleOf(name), { extensions: [extension] });
      expect(at(wire, path)).toEqual(sampleOf(name)[name]);
      expect(losses).toEqual([]);
    },
  );
});
