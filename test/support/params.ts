import type { ParamKinds } from "@manifold-gateway/core/ir";

/** A value of each kind of parameter that every wire takes. */
export const samples: ParamKinds = {
  number: 1,
  boolean: true,
  text: "auto",
  texts: ["END"],
  weights: { "50256": -100 },
  labels: { team: "blue" },
};
