import { isObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../../adapter.ts";
import { CALL_TIMEOUTS, exchange, unreadable } from "../../call.ts";
import { refuse, toTrouble, troubleOf } from "../../job-error.ts";
import { troubles } from "../../mediastyle.ts";
import { unresolved } from "../../source.ts";
import { imageLosses } from "../losses.ts";
import { imageProgress } from "../picture-result.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** Pictures of the media wire: `/images/generations`, where one call requests a group of pictures. */
export const mediastyleImage: Adapter<ImageAsk, ImageResult> = {
  losses: imageLosses("mediastyle"),
  async submit(line, ask) {
    const asset = ask.images.find(({ source }) => source.type === "asset");
    if (asset) return refuse(unresolved(asset.at));
    const call = { ...encode(ask, line.model), timeout: CALL_TIMEOUTS.generate, begins: true } as const;
    const reply = await exchange(line, call);
    if (reply.status >= 400 || (isObject(reply.body) && isObject(reply.body.error)))
      return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    if (!isObject(reply.body)) throw unreadable();
    const { result, failure } = decode(reply.body);
    return imageProgress(result, failure && toTrouble(troubles, failure, line));
  },
};
