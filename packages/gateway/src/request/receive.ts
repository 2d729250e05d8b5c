import { Refusal } from "../http/refusal.ts";
import { readRequestOptions } from "../routing/losses.ts";
import { openFlight } from "./large-body.ts";
import { readInput } from "./read-input.ts";
import type { Admitted, Received } from "./stages.ts";

/** Reads the body and the options of a request. Throws a 400 if they are not as its route takes them. */
export async function receive(admitted: Admitted): Promise<Received> {
  const { exchange, surface, route } = admitted;
  const flight = route.body ? await openFlight(admitted) : undefined;
  try {
    const input = await readInput(admitted, flight);
    const options = readRequestOptions(exchange, surface.codec, route.generates ? input.json : undefined);
    if (route.generates && options.explain && !route.explains)
      throw new Refusal("explain_not_supported", "x-explain: not supported by this route.", {
        param: "x-explain",
      });
    const progress = { generation: undefined, trace: undefined, body: undefined };
    return { ...admitted, options, input, flight, reservedId: undefined, progress };
  } catch (error) {
    flight?.end();
    throw error;
  }
}
