import type { Line, Service, Wire } from "@manifold/providers";
import { createSimulator, samples } from "@manifold/simulator";
import ky from "ky";
import { afterAll, beforeAll, beforeEach } from "vitest";

/** A strict provider of every wire, for the length of a test file. */
export const simulator = createSimulator();
/** A picture in base64 that no wire finds too small. */
export const picture = Buffer.from(samples.png(640, 640)).toString("base64");

let origin = "";
beforeAll(async () => {
  origin = (await simulator.listen()).origin;
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const bearer = { header: "authorization", scheme: "Bearer" };
const services: Partial<Record<Wire, Pick<Service, "base" | "auth">>> = {
  chatstyle: { base: "/v1", auth: bearer },
  mediastyle: { base: "/api/v3", auth: bearer },
  routerstyle: { base: "/api/v1", auth: bearer },
  genstyle: { base: "/v1beta", auth: { header: "x-goog-api-key" } },
};

/** A line to it on one wire. */
export const lineTo = (wire: Wire, model: string): Line => ({
  service: { wire, origin, key: "key", base: "", auth: bearer, ...services[wire] },
  client: ky.create({ retry: 0, throwHttpErrors: false, timeout: false }),
  signal: AbortSignal.timeout(30_000),
  now: Date.now,
  model,
  user: "pseudonym",
});
