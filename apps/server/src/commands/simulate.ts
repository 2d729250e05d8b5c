import type { Simulator } from "@manifold-gateway/simulator";
import { z } from "zod";
import { portField } from "./address.ts";
import type { Run } from "./call.ts";
import { fieldOf } from "./command.ts";
import { Misuse } from "./misuse.ts";

const times = z.coerce.number().int().min(1).max(1_000_000_000);

/** Serves only the simulator: a provider of every protocol and medium, with faults on request. */
export const simulate: Run = async ({ options, print }) => {
  // Only this command needs the package, which an installation may leave out.
  const { createSimulator, FAULTS } = await import("@manifold-gateway/simulator");
  const simulator = createSimulator({
    ...(options.seed !== undefined && { seed: options.seed }),
    ...(options.models !== undefined && { models: options.models.split(",") }),
  });
  if (options.fault !== undefined) {
    const terms = { times: fieldOf("--times", times, options.times ?? 1_000_000_000) };
    addFault(simulator, options.fault, terms, Object.keys(FAULTS));
  }
  const { origin } = await simulator.listen(fieldOf("--port", portField, options.port ?? 9100), options.host);
  if (options.json) print(JSON.stringify({ origin }));
  else {
    print(`The simulator listens on ${origin} and takes any key.`);
    print(`chat completions, responses: ${origin}/v1`);
    print(`messages: ${origin}`);
    print(`generate content: ${origin} (the SDK adds the version itself)`);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => simulator.close().then(() => process.exit(0)));
  return undefined;
};

function addFault(
  { script }: Simulator,
  fault: string,
  terms: { times: number },
  faultNames: string[],
): void {
  try {
    script(`[[fault:${fault}]]`, terms);
  } catch {
    throw new Misuse(
      `--fault is a list such as status=429,retry-after=2; known are ${faultNames.join(", ")}`,
    );
  }
}
