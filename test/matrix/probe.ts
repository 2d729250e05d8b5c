import { type AnyCodec, codecs, type Loss, parseWire, translateBody } from "@manifold-gateway/core";
import type { Json, JsonObject, Traits } from "@manifold-gateway/core/codec";
import { bytesOf } from "@manifold-gateway/providers";
import { toJsonBody } from "../../packages/gateway/src/http/json-body.ts";
import { Refusal } from "../../packages/gateway/src/http/refusal.ts";
import { TextPlanner } from "../../packages/gateway/src/text/plan.ts";
import { upstreamWires, wires } from "../support/wires/index.ts";
import type { Chapter, Feature, Surface, Upstream } from "./feature.ts";
import { overlay, says } from "./pattern.ts";

/**
 * What became of a feature on its way.
 *
 * - `kept`: it arrived as it was said
 * - `approximated`: it arrived in another form, or not all of it
 * - `refused`: the request was answered with an error that names it
 * - `lost`: it did not arrive
 */
export interface Cell {
  verdict: "kept" | "approximated" | "refused" | "lost";
  /** What is reported of it, where anything is. */
  losses?: Loss[];
  /** The words that it was refused with. */
  refusal?: string;
}

/** What arrived on the other side, and what was told about the way; or the words that it was refused with. */
export type Arrival = { wire: JsonObject; losses: readonly Loss[] } | { refused: string };

/** State on a provider's side means nothing to another provider: the surface takes it out. */
const dropped: Partial<Record<Surface, string[]>> = {
  responses: ["store", "reasoning", "include", "previous_response_id"],
};

/** The request that upstream gets of a caller's, made by what serves real ones; the catalog says nothing of the model. */
function ask(surface: Surface, upstream: Upstream, value: JsonObject, traits: Traits = {}): Arrival {
  const codec: AnyCodec = codecs[surface];
  const entry = { provider: "p", name: "a-model", priority: 0, isActive: true, traits };
  try {
    const { body, losses } = new TextPlanner({
      codec,
      body: toJsonBody(value),
      model: "a-model",
      stream: surface === "native",
      drop: dropped[surface] ?? [],
    }).plan({
      model: {
        id: "a-model",
        inputModalities: [],
        outputModalities: [],
        isActive: true,
        revision: 1,
        entries: [entry],
      },
      entry,
      provider: { id: "p", origin: "", speaks: {} },
      protocol: upstream,
      terms: { price: {}, factors: {}, isSold: false, sells: new Set(["text"]) },
    });
    const wire = parseWire(Buffer.from(bytesOf(body)).toString()) as JsonObject;
    return { wire, losses };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}

/** The body that a caller gets of upstream's. */
function answer(
  surface: Surface,
  upstream: Upstream,
  body: JsonObject,
): { wire: JsonObject; losses: readonly Loss[] } {
  if ((surface as string) === upstream) return { wire: body, losses: [] };
  const head = { id: "1", model: "a-model", created: 1_700_000_000 };
  const made = translateBody(body, { from: codecs[upstream], to: codecs[surface], head });
  return { wire: made.body, losses: made.losses };
}

/** What is told of the probe and not of the protocol's smallest message. */
function news(losses: readonly Loss[], base: Arrival): Loss[] {
  const usual = new Set("losses" in base ? base.losses.map((loss) => JSON.stringify(loss)) : []);
  return losses.filter((loss) => !usual.has(JSON.stringify(loss)));
}

const plain = <T>(value: T): T => parseWire(JSON.stringify(value)) as T;

/** The cell of a feature between two protocols; nothing where the one who has to say it has no words for it. */
export function probe(
  way: Chapter["way"],
  feature: Feature,
  surface: Surface,
  upstream: Upstream,
): Cell | undefined {
  const [from, to] = way === "ask" ? [surface, upstream] : [upstream, surface];
  const said = feature.said[from];
  if (said === undefined) return undefined;
  switch (way) {
    case "ask": {
      const value = overlay(wires[surface].request, said) as JsonObject;
      return judge(
        feature,
        to,
        ask(surface, upstream, value, feature.traits),
        ask(surface, upstream, wires[surface].request),
      );
    }
    case "answer": {
      const body = overlay(upstreamWires[upstream].reply, said) as JsonObject;
      return judge(
        feature,
        to,
        answer(surface, upstream, body),
        answer(surface, upstream, upstreamWires[upstream].reply),
      );
    }
    case "echo": {
      if (surface === "native") return undefined;
      const { wire, losses } = answer(
        surface,
        upstream,
        overlay(upstreamWires[upstream].reply, said) as JsonObject,
      );
      const next = ask(surface, upstream, plain(upstreamWires[surface].echo.next(wire)));
      const all: Arrival = "refused" in next ? next : { ...next, losses: [...losses, ...next.losses] };
      const pattern = upstreamWires[upstream].echo.said(said);
      return judge(
        { ...feature, said: { [upstream]: pattern } },
        upstream,
        all,
        ask(surface, upstream, wires[surface].request),
      );
    }
  }
}

/** The verdict on what arrived. `base` is what arrived without the feature. */
export function judge(
  { said, alike, near, word }: Feature,
  to: Surface,
  arrival: Arrival,
  base: Arrival,
): Cell {
  if ("refused" in arrival) return { verdict: "refused", refusal: arrival.refused };
  const wire = plain(arrival.wire);
  const losses = news(arrival.losses, base);
  const told = losses.length > 0 ? { losses } : {};
  const finds = (pattern: Json | undefined): boolean => pattern !== undefined && says(wire, pattern);
  if (finds(said[to]) || finds(alike?.[to]))
    return { verdict: losses.length > 0 ? "approximated" : "kept", ...told };
  const elsewhere = word !== undefined && JSON.stringify(wire).includes(word);
  return { verdict: elsewhere || finds(near?.[to]) ? "approximated" : "lost", ...told };
}
