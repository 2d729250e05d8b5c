import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type AnyCodec, codecs } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { protocolNames } from "@manifold-gateway/core/ir";
import type { UpstreamProtocol } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { toJsonBody } from "../../../packages/gateway/src/http/json-body.ts";
import { Refusal } from "../../../packages/gateway/src/http/refusal.ts";
import { TextPlanner } from "../../../packages/gateway/src/text/plan.ts";
import { model, PROTOCOLS, price } from "../../support/text.ts";

const requests = protocolNames.flatMap((wire) => {
  const folder = resolve(import.meta.dirname, `../../../packages/testing/fixtures/${wire}/requests`);
  return readdirSync(folder).map((file) => ({
    wire,
    name: `${wire}/${file}`,
    value: JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonObject,
  }));
});

function has(value: unknown, pointer: string): boolean {
  let at = value;
  for (const key of pointer.split("/").slice(1)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, unknown>)[name];
  }
  return true;
}

/** Members that a target demands and a caller may not have said. */
const demanded = /max_?(completion_|output_)?tokens|maxOutputTokens|^\/stream$/i;

describe.each(PROTOCOLS)("losses on the way to %s", (protocol: UpstreamProtocol) => {
  it.each(requests)("losses are reported by places that $name has", ({ wire, value }) => {
    const ask = {
      codec: codecs[wire] as AnyCodec,
      body: toJsonBody(value),
      model: "m",
      stream: false,
    };
    const whole = model("m", "p");
    const [entry] = whole.entries;
    const provider = { id: "p", origin: "", speaks: {} };
    try {
      const { losses } = new TextPlanner(ask).plan({
        model: whole,
        entry: entry!,
        provider,
        protocol,
        terms: { price, factors: {}, isSold: true, sells: new Set(["text"]) },
      });
      const unknown = losses.filter(({ path }) => !has(value, path) && !demanded.test(path));
      expect(unknown).toEqual([]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });
});
