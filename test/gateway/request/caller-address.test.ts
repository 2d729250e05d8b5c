import { createCallerAddress, networkOf } from "@manifold-gateway/gateway/admin";
import { describe, expect, it } from "vitest";

const TRUSTED = ["10.0.0.0/8", "fd00::/8"];

describe("the address of a caller", () => {
  it.each<[string, readonly string[], string | undefined, string | undefined, string | undefined]>([
    ["is the peer's where no proxy is trusted", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["is the peer's where the peer is no proxy", TRUSTED, "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["is what a proxy says", TRUSTED, "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["is not what its caller made up", TRUSTED, "10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    ["is looked for behind each proxy", TRUSTED, "::ffff:10.0.0.1", "198.51.100.1,10.2.3.4", "198.51.100.1"],
    ["is the last proxy's where nobody is behind it", TRUSTED, "10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["is the proxy's where it says nothing", TRUSTED, "10.0.0.1", undefined, "10.0.0.1"],
    ["is the proxy's where what it says is no address", TRUSTED, "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
    ["has no port", TRUSTED, "fd00::1", "198.51.100.1:4711", "198.51.100.1"],
    ["has no brackets and one spelling", TRUSTED, "fd00::1", "[2001:DB8:0::1]:443", "2001:db8::1"],
    ["is no number in another notation", TRUSTED, "10.0.0.1", "0x01020304", "10.0.0.1"],
    ["has no scope", [], "fe80::1%eth0", undefined, "fe80::1"],
    ["is unknown without a peer", TRUSTED, undefined, "198.51.100.1", undefined],
  ])("the address of a caller %s", (_, trusted, peer, forwarded, address) => {
    expect(createCallerAddress(trusted)(peer, forwarded)).toBe(address);
  });

  it("an IPv6 address is counted by its /64", () => {
    expect(networkOf("2001:db8:1:2:3::4")).toBe(networkOf("2001:db8:1:2:ffff::1"));
    expect(networkOf("2001:db8:1:2:3::4")).not.toBe(networkOf("2001:db8:1:3::4"));
    expect(networkOf("198.51.100.1")).toBe("198.51.100.1");
  });

  it("trusted proxies have to be address ranges", () => {
    expect(() => createCallerAddress(["10.0.0.1"])).toThrow("no address range");
  });
});
