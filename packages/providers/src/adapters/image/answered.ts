import { isObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../adapter.ts";
import { CALL_TIMEOUTS, type Call, exchange, unreadable } from "../call.ts";
import { troubles } from "../chatstyle.ts";
import { refuse, troubleOf, troubleWithin } from "../job-error.ts";
import { unresolved } from "../source.ts";
import { decode } from "./chatstyle/decode.ts";
import { imageLosses } from "./losses.ts";
import { imageProgress } from "./picture-result.ts";

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
    const reply = await exchange(line, call);
    if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    if (!isObject(reply.body)) throw unreadable();
    return imageProgress(decode(reply.body, line.service.origin), troubleWithin(troubles, reply, line));
  },
});
