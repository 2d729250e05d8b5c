import { createLinks } from "@manifold-gateway/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LinkTerms } from "../../../packages/store/src/objects/objects.ts";
import { keys } from "./bytes.ts";
import { NOW } from "./places/place.ts";

const old = { id: "1", secret: "o".repeat(32) };
const fresh = { id: "2", secret: new Uint8Array(32).fill(7) };
const base = "https://gateway.example";
const links = createLinks({ base, secrets: [fresh, old] });

const terms: fc.Arbitrary<LinkTerms> = fc.record({
  expires: fc.integer({ min: NOW / 1000 + 1, max: NOW / 1000 + 86_400 }).map((seconds) => seconds * 1000),
  mediaType: fc.constantFrom("image/png", "image/svg+xml", "text/plain; charset=utf-8"),
  filename: fc.option(fc.string({ unit: "binary", maxLength: 40 }), { nil: undefined }),
});

describe("signed links", () => {
  it("a signed link opens to what it was made for, as a whole and as path and query", () => {
    fc.assert(
      fc.property(keys, terms, (key, granted) => {
        const link = links.make(key, granted, NOW);
        expect(new URL(link).href).toBe(link);
        const opened = links.open(link, NOW);
        expect(opened).toMatchObject({
          ok: true,
          key,
          expires: granted.expires,
          mediaType: granted.mediaType,
        });
        expect(links.open(link.slice(base.length), NOW)).toEqual(opened);
      }),
    );
  });

  it("a signed link is refused when any byte is changed, missing or doubled", () => {
    const change = fc.constantFrom<(text: string, at: number, by: string) => string>(
      (text, at, by) => text.slice(0, at) + by + text.slice(at + 1),
      (text, at, by) => text.slice(0, at) + by + text.slice(at),
      (text, at) => text.slice(0, at) + text.slice(at + 1),
    );
    const letter = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(keys, terms, fc.nat(), letter, change, (key, granted, place, by, apply) => {
        const link = links.make(key, granted, NOW).slice(base.length);
        const other = apply(link, place % link.length, by);
        fc.pre(other !== link);
        expect(links.open(other, NOW)).toEqual({ ok: false, why: "refused" });
      }),
      { numRuns: 500 },
    );
  });

  it("a signed link is refused with a parameter more, twice, elsewhere or spelled otherwise", () => {
    const link = links.make("a/0.png", { expires: NOW + 60_000, mediaType: "image/png" }, NOW);
    const [path = "", query = ""] = link.split("?");
    const params = query.split("&");
    const others = [
      `${link}&`,
      `${link}&x=1`,
      `${link}&expires=99999999999`,
      `${path}?${[...params].reverse().join("&")}`,
      ...params.map((one) => `${link}&${one}`),
      ...params.map((one) => `${path}?${params.filter((other) => other !== one).join("&")}`),
      link.replace("%2F", "/"),
      link.replace("%2F", "%2f"),
      `${link}#x`,
      link.replace(base, "https://other.example"),
      `${path}`,
      "",
      "x".repeat(10_000),
    ];
    for (const other of others)
      expect([other, links.open(other, NOW)]).toEqual([other, { ok: false, why: "refused" }]);
  });

  it("a signed link outlives a change of secrets as long as the old one is kept", () => {
    const granted = { expires: NOW + 60_000, mediaType: "image/png" };
    const link = createLinks({ base, secrets: [old] }).make("a", granted, NOW);
    expect(links.open(link, NOW).ok).toBe(true);
    expect(createLinks({ base, secrets: [fresh] }).open(link, NOW)).toEqual({ ok: false, why: "refused" });
    const impostor = createLinks({ base, secrets: [{ id: "1", secret: "x".repeat(32) }] });
    expect(impostor.open(link, NOW)).toEqual({ ok: false, why: "refused" });
    expect(links.open(link, NOW + 60_000)).toEqual({ ok: false, why: "expired" });
  });

  it("signed links need secrets that are long and distinct", () => {
    const make = (...secrets: { id: string; secret: string }[]) => createLinks({ base, secrets });
    expect(() => make()).toThrow(RangeError);
    expect(() => make({ id: "1", secret: "s".repeat(31) })).toThrow("link secret '1' is under 32 bytes");
    expect(() => make(old, { ...old, secret: "t".repeat(32) })).toThrow("different ids");
    expect(() => make({ id: "a&b", secret: "s".repeat(32) })).toThrow("id");
  });

  it("signed links can be served at another address", () => {
    const moved = createLinks({ base: "https://x.example/", path: "/files", secrets: [old] });
    const link = moved.make("a/b.png", { expires: NOW + 1000, mediaType: "image/png" }, NOW);
    expect(link.startsWith("https://x.example/files/a/b.png?expires=")).toBe(true);
    expect(moved.open(link, NOW).ok).toBe(true);
  });
});
