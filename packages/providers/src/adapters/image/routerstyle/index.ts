import { isObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../../adapter.ts";
import { CALL_TIMEOUTS, exchange, unreadable } from "../../call.ts";
import { refuse, troubleOf, troubleWithin } from "../../job-error.ts";
import { troubles } from "../../routerstyle.ts";
import { unresolved } from "../../source.ts";
import { imageLosses } from "../losses.ts";
import { imageProgress } from "../picture-result.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** Pictures through a router: `/images`. */
export const routerstyleImage: Adapter<ImageAsk, ImageResult> = {
  losses: imageLosses("routerstyle"),
  async submit(line, ask) {
    const asset = ask.images.find(({ source }) => source.type === "asset");
    if (asset) return refuse(unresolved(asset.at));
    const call = { ...encode(ask, line.model), timeout: CALL_TIMEOUTS.generate, begins: true } as const;
    const reply = await exchange(line, call);
    if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    if (!isObject(reply.body)) throw unreadable();
    return imageProgress(decode(reply.body), troubleWithin(troubles, reply, line));
  },
};
