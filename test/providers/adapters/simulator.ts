import {
  createLineClient,
  createTransport,
  type Line,
  type Service,
  type Wire,
} from "@manifold-gateway/providers";
import { createSimulator, samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** A picture in base64 that no wire finds too small. */
export const picture = Buffer.from(samples.png(640, 640)).toString("base64");

const bearer = { header: "authorization", scheme: "Bearer" };
const services: Partial<Record<Wire, Pick<Service, "base" | "auth">>> = {
  chatstyle: { base: "/v1", auth: bearer },
  mediastyle: { base: "/api/v3", auth: bearer },
  routerstyle: { base: "/api/v1", auth: bearer },
  predictstyle: { base: "/v1", auth: { header: "x-goog-api-key" } },
  genstyle: { base: "/v1beta", auth: { header: "x-goog-api-key" } },
};

/** A strict provider of every wire for the length of a test file: gives lines to it, each on one wire. */
export function useSimulator(): (wire: Wire, model: string) => Line {
  const simulator = createSimulator();
  const transport = createTransport();
  const client = createLineClient(transport);
  let origin = "";
  beforeAll(async () => {
    origin = (await simulator.listen()).origin;
  });
  beforeEach(() => simulator.reset());
  afterAll(async () => {
    await transport.close();
    await simulator.close();
  });
  return (wire, model) => ({
    service: { wire, origin, key: "key", base: "", auth: bearer, ...services[wire] },
    client,
    signal: AbortSignal.timeout(30_000),
    now: Date.now,
    model,
    user: "pseudonym",
  });
}
