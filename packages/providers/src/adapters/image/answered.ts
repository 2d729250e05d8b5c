import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../adapter.ts";
import { CALL_TIMEOUTS, type Call, exchange } from "../call.ts";
import { refuse } from "../job-error.ts";
import { unresolved } from "../source.ts";
import { readWhole } from "./chatstyle/whole-reply.ts";
import { imageLosses } from "./losses.ts";

/** The differences of a wire whose answers are those of chat completions. */
interface Requests {
  wire: Parameters<typeof imageLosses>[0];
  encode(ask: ImageAsk, model: string): Call;
  /** Why the wire cannot express a request, in words for the caller. */
  fault(ask: ImageAsk): string | undefined;
}

/** Pictures of vendors that answer at once, like the wire of chat completions, to requests in words of their own. */
export const answeredImage = ({ wire, encode, fault }: Requests): Adapter<ImageAsk, ImageResult> => ({
  losses: imageLosses(wire),
  async submit(line, ask) {
    const asset = ask.images.find(({ source }) => source.type === "asset");
    const wrong = asset ? unresolved(asset.at) : fault(ask);
    if (wrong !== undefined) return refuse(wrong);
    const call = { ...encode(ask, line.model), timeout: CALL_TIMEOUTS.generate, begins: true } as const;
    return readWhole(await exchange(line, call), line);
  },
});
