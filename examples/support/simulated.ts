/**
 * In place of the vendors, so that the client's examples run without keys and a network: delete it from a program, and
 * the keys of the usual variables (`OPENAI_API_KEY`, …) call the vendors themselves.
 */
import { createSimulator } from "@manifold-gateway/simulator";

/** Answers for every vendor. */
export const simulator = createSimulator();

/** Options of a client. */
export const simulated = {
  fetch: (request: Request): Promise<Response> => simulator.fetch(request),
  env: { ANTHROPIC_API_KEY: "any", GEMINI_API_KEY: "any", MISTRAL_API_KEY: "any", OPENAI_API_KEY: "any" },
};
