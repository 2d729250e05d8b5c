import { isObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../../adapter.ts";
import { CALL_TIMEOUTS, exchange, unreadable } from "../../call.ts";
import { troubles } from "../../chatstyle.ts";
import { refuse, troubleOf, troubleWithin } from "../../job-error.ts";
import { unresolved } from "../../source.ts";
import { decode } from "../chatstyle/decode.ts";
import { imageLosses } from "../losses.ts";
import { imageProgress } from "../picture-result.ts";
import { isSized } from "../sized.ts";
import { encode, shapeOfSize } from "./encode.ts";

/** Pictures of vendors that answer like the wire of chat completions, and have ratios and addresses in JSON. */
export const ratiostyleImage: Adapter<ImageAsk, ImageResult> = {
  losses: imageLosses("ratiostyle"),
  async submit(line, ask) {
    const asset = ask.images.find(({ source }) => source.type === "asset");
    if (asset) return refuse(unresolved(asset.at));
    if (isSized(ask.size) && !shapeOfSize(ask.size))
      return refuse(`size: no ratio and size of the model '${ask.model}' is close to ${ask.size}`);
    const call = { ...encode(ask, line.model), timeout: CALL_TIMEOUTS.generate, begins: true } as const;
    const reply = await exchange(line, call);
    if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    if (!isObject(reply.body)) throw unreadable();
    return imageProgress(decode(reply.body), troubleWithin(troubles, reply, line));
  },
};
