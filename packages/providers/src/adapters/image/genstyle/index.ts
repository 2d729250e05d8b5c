import { isObject } from "@manifold-gateway/core/codec";
import type { ImageAsk, ImageResult } from "@manifold-gateway/core/operations";
import type { Adapter, Line, Progress } from "../../adapter.ts";
import { CALL_TIMEOUTS, exchange, unreadable } from "../../call.ts";
import { troubles } from "../../genstyle.ts";
import { refuse, toTrouble, troubleOf } from "../../job-error.ts";
import { inlineOnly } from "../../source.ts";
import { join } from "../join.ts";
import { imageLosses } from "../losses.ts";
import { imageProgress } from "../picture-result.ts";
import { isSized } from "../sized.ts";
import { decode } from "./decode.ts";
import { encode, shapeOfSize } from "./encode.ts";

/** Pictures of models that generate content: one call for each picture; the successful ones count. */
export const genstyleImage: Adapter<ImageAsk, ImageResult> = {
  losses: imageLosses("genstyle"),
  inline: true,
  async submit(line, ask) {
    const address = ask.images.find(({ source }) => source.type !== "base64");
    if (address) return refuse(inlineOnly(address.at));
    if (isSized(ask.size) && !shapeOfSize(ask.size))
      return refuse(`size: no ratio and size of the model '${ask.model}' is close to ${ask.size}`);
    const calls = Array.from({ length: ask.numberOfImages ?? 1 }, () => generateOne(line, ask));
    const ends = await Promise.allSettled(calls);
    const results: ImageResult[] = [];
    const missing: string[] = [];
    let first: Progress<ImageResult> | undefined;
    for (const end of ends) {
      if (end.status === "rejected") {
        missing.push(String((end.reason as Error).message));
        continue;
      }
      if (end.value.state === "succeeded") results.push(end.value.result);
      else if ("trouble" in end.value && end.value.trouble) missing.push(end.value.trouble.message);
      first ??= end.value;
    }
    if (results.length > 0)
      return { state: "succeeded", result: { ...join(results), ...(missing.length > 0 && { missing }) } };
    // If a call was lost, it is unknown whether it was billed, whatever the others returned.
    const lost = ends.find((end) => end.status === "rejected");
    if (lost || !first) throw lost?.reason ?? unreadable();
    return first;
  },
};

async function generateOne(line: Line, ask: ImageAsk): Promise<Progress<ImageResult>> {
  const call = { ...encode(ask, line.model), timeout: CALL_TIMEOUTS.generate, begins: true } as const;
  const reply = await exchange(line, call);
  if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
  if (!isObject(reply.body)) throw unreadable();
  const { result, failure } = decode(reply.body);
  return imageProgress(result, failure && toTrouble(troubles, failure, line));
}
