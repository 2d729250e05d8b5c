import {
  type AnyCodec,
  chatstyle,
  chunkReader,
  codecs,
  createProtocols,
  type Protocol,
  parseWire,
  protocols,
} from "@manifold-gateway/core";
import { sealedFor } from "@manifold-gateway/core/codec";
import { createCatalog, createGateway, textSurface } from "@manifold-gateway/gateway";
import { describe, expect, it } from "vitest";
import { parseBody } from "../../../packages/gateway/src/http/body.ts";

const sixth = {
  ...chatstyle,
  protocol: "sixth" as Protocol,
  facts: { ...chatstyle.facts, letter: "s", bound: ["mark"], toolValues: { inputs: () => true } },
} as AnyCodec;
const six = createProtocols([...Object.values(codecs), sixth]);
const LONG = '{"inputs":{"id":12345678901234567890}}';

describe("the protocols of a program", () => {
  it("the protocols of one program are frozen, and the library's are no others for them", () => {
    expect(Object.isFrozen(six)).toBe(true);
    expect(Object.isFrozen(six.codecs)).toBe(true);
    expect(Object.isFrozen(codecs)).toBe(true);
    expect(six.codecs["sixth" as Protocol]).toBe(sixth);
    expect([...six.namesOf("bound")]).toEqual([...protocols.namesOf("bound"), "mark"]);
    expect(protocols.namesOf("bound")).not.toContain("mark");
    expect([six.protocolOf("s"), protocols.protocolOf("s")]).toEqual(["sixth", undefined]);
    expect([sealedFor("mfseal1sb", six), sealedFor("mfseal1sb")]).toEqual(["sixth", undefined]);
  });

  it("every reader that is given protocols keeps the digits of their tools' values", () => {
    expect(JSON.stringify(parseWire(LONG, six))).toBe(LONG);
    expect(JSON.stringify(chunkReader(sixth, six)(LONG))).toBe(LONG);
    expect(JSON.stringify(parseBody(Buffer.from(LONG), 1_000, six).value)).toBe(LONG);
    expect(parseWire(LONG)).toEqual(JSON.parse(LONG));
    expect(chunkReader(sixth)(LONG)).toEqual(JSON.parse(LONG));
  });

  it("a gateway refuses a surface whose protocol it was not given", () => {
    const surfaces = [textSurface({ codec: sixth, about: "The sixth.", path: "/chat" })];
    const store = { money: {}, accounts: {}, keys: {} };
    const options = { surfaces, store, catalog: createCatalog([]), providers: [] };
    expect(() => createGateway(options as never)).toThrow(
      "The surface 'sixth' has the protocol 'sixth', which 'protocols' lacks.",
    );
  });
});
