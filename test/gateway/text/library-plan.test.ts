import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type AnyCodec, codecs } from "@manifold-gateway/core";
import type { JsonObject } from "@manifold-gateway/core/codec";
import { protocolNames } from "@manifold-gateway/core/ir";
import { CallerRequest, planRequest, Rejection, readBody } from "@manifold-gateway/core/plan";
import { bytesOf } from "@manifold-gateway/providers";
import { describe, expect, it } from "vitest";
import { toJsonBody } from "../../../packages/gateway/src/http/json-body.ts";
import { Refusal } from "../../../packages/gateway/src/http/refusal.ts";
import { type TextAsk, TextPlanner } from "../../../packages/gateway/src/text/plan.ts";
import { model, PROTOCOLS, price } from "../../support/text.ts";

const requests = protocolNames.flatMap((wire) => {
  const folder = resolve(import.meta.dirname, `../../../packages/testing/fixtures/${wire}/requests`);
  return readdirSync(folder).map((file) => ({
    wire,
    name: `${wire}/${file}`,
    value: JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonObject,
  }));
});

/** What the gateway sends to an entry, or the texts of its refusal. */
function sent(ask: TextAsk, protocol: (typeof PROTOCOLS)[number]) {
  const whole = model("m", "p");
  const provider = { id: "p", origin: "", speaks: {} };
  const terms = { price, factors: {}, isSold: true, sells: new Set(["text"] as const) };
  try {
    const resolution = { model: whole, entry: whole.entries[0]!, provider, protocol, terms };
    const { body, losses, translated } = new TextPlanner(ask).plan(resolution);
    return { body: Buffer.from(bytesOf(body)).toString(), losses, translated };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, errors: error.errors };
  }
}

describe.each(PROTOCOLS)("a request on the way to %s", (protocol) => {
  it.each(requests)("the library plans $name as the gateway does", ({ wire, value }) => {
    const codec: AnyCodec = codecs[wire];
    const ask = { codec, body: toJsonBody(value), model: "m", stream: false };
    const body = readBody(JSON.stringify(value));
    if (body instanceof Rejection) throw body;
    const { entries } = model("m", "p");
    const target = { codec: codecs[protocol], model: entries[0]!.name };
    const plan = planRequest(new CallerRequest({ ...ask, body }, ["provider"]), target);
    const expected =
      plan instanceof Rejection
        ? { code: plan.code, errors: plan.errors }
        : { body: plan.body, losses: plan.losses, translated: plan.translated };
    expect(sent(ask, protocol)).toEqual(expected);
  });
});
