import { prose } from "../texts.ts";
import type { CreateRequest } from "./traffic-request.ts";

const MODELS = ["sim-embedding", "sim-embedding", "sim-embedding-generate", "sim-embedding-media"];

export const createEmbeddingRequest: CreateRequest = (random) => ({
  path: "/api/chatstyle/v1/embeddings",
  body: {
    model: random.pick(MODELS),
    input: Array.from({ length: random.between(1, 6) }, () => prose(random, random.between(2, 24))),
  },
});
