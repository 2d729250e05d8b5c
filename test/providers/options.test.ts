import {
  createFetchTransport,
  createGuardedFetch,
  createTransport,
  defineProvider,
} from "@manifold-gateway/providers";
import { presets } from "@manifold-gateway/providers/presets";
import { expect, it } from "vitest";

const provider = { origin: "http://127.0.0.1", speaks: ["chatstyle"] };

it.each<[string, (options: never) => unknown, object, RegExp]>([
  ["createTransport", createTransport, { fristByte: 1 }, /fristByte: .*Did you mean 'firstByte'/],
  [
    "createFetchTransport",
    createFetchTransport,
    { connect: 1 },
    /connect: .*known are fetch, firstByte, idle/,
  ],
  ["createGuardedFetch", createGuardedFetch, { alow: [] }, /alow: .*Did you mean 'allow'/],
  [
    "defineProvider",
    (more: object) => defineProvider("p", { ...provider, ...more } as never),
    { heders: {} },
    /'p': heders: .*known are .*headers/,
  ],
])("%s names an option that it does not know, unless it has no value", (_, make, options, words) => {
  expect(() => make(options as never)).toThrow(words);
  const valueless = Object.fromEntries(Object.keys(options).map((name) => [name, undefined]));
  expect(() => make(valueless as never)).not.toThrow();
});

it("a provider takes the whole row of a preset", () => {
  for (const preset of Object.values(presets))
    expect(defineProvider("p", { ...preset, origin: "http://127.0.0.1" })).toMatchObject({ id: "p" });
});
