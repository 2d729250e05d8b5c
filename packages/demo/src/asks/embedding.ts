import { prose } from "../words.ts";
import type { Asking } from "./ask.ts";

const MODELS = ["sim-embedding", "sim-embedding", "sim-embedding-generate", "sim-embedding-media"];

export const askEmbedding: Asking = (chance) => ({
  path: "/api/chatstyle/v1/embeddings",
  body: {
    model: chance.pick(MODELS),
    input: Array.from({ length: chance.between(1, 6) }, () => prose(chance, chance.between(2, 24))),
  },
});
