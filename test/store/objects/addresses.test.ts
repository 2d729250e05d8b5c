import { createAddressGuard } from "@manifold-gateway/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/** The first three numbers of addresses on both sides of the bounds of reserved ranges. */
const EDGES = (
  "9.255.255 10.0.0 11.0.0 100.63.0 100.64.0 100.128.0 126.0.0 128.0.0 169.253.0 " +
  "169.254.0 169.255.0 172.15.0 172.16.0 172.31.0 172.32.0 192.0.0 192.0.1 192.0.2 " +
  "192.167.0 192.168.0 198.17.0 198.18.0 198.19.0 198.20.0 203.0.113 223.255.255 224.0.0 " +
  "240.0.0 255.255.255"
)
  .split(" ")
  .map((text) => text.split(".").map(Number));

describe("public addresses", () => {
  const guard = createAddressGuard();
  const octet = fc.nat(255);
  const embeddings: ((hex: string, dotted: string) => string)[] = [
    (_, dotted) => dotted,
    (_, dotted) => `::ffff:${dotted}`,
  ];
  const refusedEmbeddings: ((hex: string, dotted: string) => string)[] = [
    (_, dotted) => `::${dotted}`,
    (_, dotted) => `::ffff:0:${dotted}`,
    (_, dotted) => `64:ff9b::${dotted}`,
    (_, dotted) => `64:ff9b:1::${dotted}`,
    (hex) => `2002:${hex}::1`,
    (hex) => `2001:0:1:2:3:4:${hex}`,
  ];
  /** Ranges that are not the public internet, by what their first octets are. */
  const isReserved = (a: number, b: number, c: number): boolean =>
    [0, 10, 127].includes(a) ||
    a >= 224 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) ||
    (a === 192 && ((b === 31 && c === 196) || (b === 52 && c === 193) || (b === 175 && c === 48))) ||
    (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) ||
    (a === 203 && b === 0 && c === 113);

  it("IPv4 addresses are public outside the reserved ranges, also when written as IPv6", () => {
    const edge = fc.constantFrom(...EDGES);
    fc.assert(
      fc.property(fc.oneof(fc.tuple(octet, octet, octet), edge), octet, (first, d) => {
        const [a = 0, b = 0, c = 0] = first;
        const hex = [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16)).join(":");
        const dotted = [a, b, c, d].join(".");
        for (const embed of embeddings)
          expect([embed(hex, dotted), guard(embed(hex, dotted))]).toEqual([
            embed(hex, dotted),
            !isReserved(a, b, c),
          ]);
        for (const embed of refusedEmbeddings)
          expect([embed(hex, dotted), guard(embed(hex, dotted))]).toEqual([embed(hex, dotted), false]);
      }),
      { numRuns: 500 },
    );
  });

  it("IPv6 addresses are public where hosts of the internet have theirs", () => {
    for (const address of ["2606:4700::1111", "2a00:1450:4001:800::200e", "2001:4860:4860::8888"])
      expect([address, guard(address)]).toEqual([address, true]);
    for (const address of [
      "::",
      "::1",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd12::1",
      "fec0::1",
      "ff02::1",
      "100::1",
      "2001:db8::1",
      "5f00::1",
      "3fff::1",
      "4000::1",
      "",
    ])
      expect([address, guard(address)]).toEqual([address, false]);
  });

  it("addresses can be allowed by range, in either spelling", () => {
    const lan = createAddressGuard(["10.1.0.0/16", "fd00::/8"]);
    expect(["10.1.2.3", "::ffff:10.1.2.3", "fd00::1"].map(lan)).toEqual([true, true, true]);
    expect(["10.2.0.1", "127.0.0.1", "fe80::1", "64:ff9b::10.1.2.3"].map(lan)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(() => createAddressGuard(["10.1.0.0"])).toThrow("'10.1.0.0' is no address range");
  });
});
