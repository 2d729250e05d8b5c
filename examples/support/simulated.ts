import { createSimulator, type Simulator } from "@manifold-gateway/simulator";

/**
 * Options of a client that calls the simulator in place of the vendors, so that the examples run without keys and a
 * network. Without them, the keys of the usual variables (`OPENAI_API_KEY`, …) call the vendors themselves.
 */
export function simulate() {
  const simulator: Simulator = createSimulator();
  return {
    simulator,
    simulated: {
      fetch: (request: Request): Promise<Response> => simulator.fetch(request),
      env: { ANTHROPIC_API_KEY: "any", GEMINI_API_KEY: "any", MISTRAL_API_KEY: "any", OPENAI_API_KEY: "any" },
    },
  };
}
