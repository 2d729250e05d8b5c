import { isObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../../adapter.ts";
import { exchange, PATIENCE, unreadable } from "../../call.ts";
import { refuse, toTrouble, troubleOf } from "../../job-error.ts";
import { troubles } from "../../mediastyle.ts";
import { unresolved } from "../../source.ts";
import { imageLosses } from "../losses.ts";
import { made } from "../picture-result.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** Pictures of the media wire: `/images/generations`, where one call requests a group of pictures. */
export const mediastyleImage: Adapter<ImageAsk, ImageResult> = {
  losses: imageLosses("mediastyle"),
  async submit(line, ask) {
    const asset = ask.images.find(({ source }) => source.type === "asset");
    if (asset) return refuse(unresolved(asset.at));
    const call = { ...encode(ask, line.model), timeout: PATIENCE.generate, begins: true } as const;
    const reply = await exchange(line, call);
    if (reply.status >= 400 || (isObject(reply.body) && isObject(reply.body.error)))
      return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    if (!isObject(reply.body)) throw unreadable();
    const { result, failure } = decode(reply.body);
    return made(result, failure && toTrouble(troubles, failure, line));
  },
};
