import { isObject, textOf, toObject } from "@manifold-gateway/core/codec";
import type { VideoAsk, VideoResult } from "@manifold-gateway/core/operations";
import type { Adapter, Progress } from "../../adapter.ts";
import { exchange, readReply, unreadable } from "../../call.ts";
import { refuse, toTrouble, troubleOf, troubleWithin } from "../../job-error.ts";
import { openFile } from "../../open-file.ts";
import { troubles } from "../../routerstyle.ts";
import { unresolved } from "../../source.ts";
import { videoLosses } from "../losses.ts";
import { expired, lost, unanswered } from "../poll-results.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

const jobPath = (id: string): string => `/videos/${encodeURIComponent(id)}`;

/** Videos through a router: jobs that are submitted and read, and whose outputs need its key. */
export const routerstyleVideo: Adapter<VideoAsk, VideoResult> = {
  losses: videoLosses("routerstyle"),
  async submit(line, ask) {
    const asset = ask.parts.find((part) => part.type !== "text" && part.source.type === "asset");
    if (asset) return refuse(unresolved(asset.at));
    const reply = await exchange(line, { ...encode(ask, line.model), begins: true });
    if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    const trouble = troubleWithin(troubles, reply, line);
    if (trouble) return { state: "failed", trouble };
    const id = textOf(toObject(reply.body).id);
    if (!id) throw unreadable();
    return { id };
  },

  async poll(line, id): Promise<Progress<VideoResult>> {
    const reply = await exchange(line, { method: "GET", path: jobPath(id) });
    if (reply.status === 404) return lost();
    if (reply.status >= 400 || !isObject(reply.body)) return unanswered(troubleOf(troubles, reply, line));
    const { state, result, error } = decode(reply.body);
    switch (state) {
      case "queued":
      case "running":
        return { state };
      case "succeeded":
        return { state, result };
      case "cancelled":
        return { state, trouble: { kind: "expired", message: "The video was cancelled." } };
      case "expired":
        return expired();
      case "failed":
        return { state, trouble: toTrouble(troubles, error, line) };
    }
  },

  async content(line, id, index) {
    const file = await openFile(line, `${jobPath(id)}/content?index=${index}`);
    if ("url" in file || file.response.status < 400) return file;
    const reply = await readReply(file.response, line);
    // 409 means that the output is not ready yet, which is not the caller's error.
    const trouble = troubleOf(
      { ...troubles, statuses: { ...troubles.statuses, 409: "unavailable" } },
      reply,
      line,
    );
    return { trouble };
  },
};
