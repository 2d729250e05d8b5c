import type { rerankWires } from "@manifold-gateway/core/operations";
import type { Model } from "@manifold-gateway/gateway";
import { defineProvider, type Provider, type Wire } from "@manifold-gateway/providers";
import { model, price } from "./text.ts";

type RerankWire = keyof typeof rerankWires;

/** Where the simulator speaks each wire of rankings. */
export const rerankPlaces: Record<RerankWire, string> = {
  rerankstyle: "/v1",
  searchstyle: "/v2",
  searchstyle1: "/search/v1",
  scorestyle: "/score/v1",
  topstyle: "/top/v1",
  liststyle: "/list",
};
export const RERANK_WIRES = Object.keys(rerankPlaces) as RerankWire[];

/** The wires whose providers bill search units. */
const billedByUnits: ReadonlySet<Wire> = new Set<Wire>(["searchstyle", "searchstyle1"]);
/** Micro-USD of a search unit. */
export const UNIT = 2_000;

/** A provider of each wire, by the wire's name. */
export const rerankProviders = (origin: string): Provider[] =>
  RERANK_WIRES.map((wire) =>
    defineProvider(wire, {
      ...{ origin, key: "upstream-secret", speaks: [] },
      serves: { rerank: { wire, origin: origin + rerankPlaces[wire] } },
    }),
  );

/** A model of each wire, by the wire's name. */
export const rerankModels: Model[] = RERANK_WIRES.map((wire) =>
  model(wire, wire, {
    outputModalities: ["ranking"],
    entries: [
      {
        ...{ provider: wire, name: "r", priority: 1, isActive: true },
        price: billedByUnits.has(wire) ? { searchUnits: UNIT * 1_000_000 } : price,
      },
    ],
  }),
);
