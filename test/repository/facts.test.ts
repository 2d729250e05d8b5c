import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type AnyCodec, codecs, createProtocols, type Protocol, protocols } from "@manifold-gateway/core";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Names that no prose and no other table has: words of several parts. */
const isTelling = (name: string): boolean => /[a-z](?:_[a-z]|[A-Z])/.test(name);

const names = new Set(
  Object.values(codecs).flatMap(({ facts }) =>
    [
      ...[facts.system, facts.turns, facts.bound, facts.mediaTypes, facts.pictures].flat(),
      ...[facts.toolData, facts.essential, Object.keys(facts.files), Object.keys(facts.toolValues)].flat(),
    ].filter(isTelling),
  ),
);

/** Where a wire's members belong: its codec, the surfaces that serve it, and media wires with names of their own. */
const homes =
  /^packages\/(core\/src\/(protocols|operations|capability|dialect|family)\/|gateway\/src\/(surfaces|socket|openapi|media|jobs|observe)\/|gateway\/src\/http\/codes)/;
/** Names that the native interface and the host's own JSON have as well. */
const ours = new Set(["mediaType"]);

const sources = ["packages/core/src", "packages/gateway/src"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !homes.test(file)),
);

describe("the facts of the wires", () => {
  it("members of the wires are named only by their facts, beside the codecs and surfaces themselves", () => {
    expect(names.size).toBeGreaterThan(10);
    const found = sources.flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return [...text.matchAll(/["'`/]([A-Za-z_]+)["'`]|\.([a-z]+_[a-z_]+)\b/g)]
        .map(([, quoted, member]) => (quoted ?? member) as string)
        .filter((name) => names.has(name) && !ours.has(name))
        .map((name) => `${file}: ${name}`);
    });
    expect(found).toEqual([]);
  });

  it("every protocol has a letter of its own for seals", () => {
    const letters = Object.values(codecs).map(({ facts }) => facts.letter);
    expect(new Set(letters).size).toBe(letters.length);
    for (const letter of letters) expect(letter).toMatch(/^[a-z]$/);
  });

  it("a protocol whose name or letter another has is refused", () => {
    const named = (protocol: string, letter: string): AnyCodec => ({
      ...codecs.chatstyle,
      protocol: protocol as Protocol,
      facts: { ...codecs.chatstyle.facts, letter },
    });
    const withOne = (codec: AnyCodec) => () => createProtocols([...Object.values(codecs), codec]);
    expect(withOne(named("chatstyle", "z"))).toThrow("two protocols called 'chatstyle'");
    expect(withOne(named("other", codecs.msgstyle.facts.letter))).toThrow("facts.letter of 'other'");
    expect(withOne(named("other", "Z"))).toThrow("it must be one of a to z but c, ");
    expect(Object.keys(withOne(named("other", "z"))().codecs)).toEqual([...Object.keys(codecs), "other"]);
    expect(Object.keys(protocols.codecs)).toEqual(Object.keys(codecs));
  });
});
