import { isObject, textOf, toObject } from "@manifold-gateway/core/codec";
import type { VideoAsk, VideoResult } from "@manifold-gateway/core/operations";
import type { Adapter, Line, Progress } from "../../adapter.ts";
import { exchange, readReply, unreadable } from "../../call.ts";
import { troubles } from "../../genstyle.ts";
import { refuse, toTrouble, troubleOf } from "../../job-error.ts";
import { openFile } from "../../open-file.ts";
import { inlineOnly, untaken } from "../../source.ts";
import { videoLosses } from "../losses.ts";
import { expired, lost, unanswered } from "../poll-results.ts";
import { decode, type OperationStatus } from "./decode.ts";
import { encode } from "./encode.ts";

/** The path of an operation: its id is a path below the base, `models/m/operations/x`. */
const pathOf = (id: string): string => `/${id.split("/").map(encodeURIComponent).join("/")}`;

/** Videos of models that generate content: long-running operations whose outputs need the provider's key. */
export const genstyleVideo: Adapter<VideoAsk, VideoResult> = {
  losses: videoLosses("genstyle"),
  inline: true,

  async submit(line, ask) {
    const odd = ask.parts.find(({ type }) => type === "video" || type === "audio");
    if (odd) return refuse(untaken(odd.at, odd.type));
    const address = ask.parts.find((part) => part.type !== "text" && part.source.type !== "base64");
    if (address) return refuse(inlineOnly(address.at));
    const reply = await exchange(line, { ...encode(ask, line.model), begins: true });
    if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    const id = textOf(toObject(reply.body).name);
    if (!id) throw unreadable();
    return { id };
  },

  async poll(line, id): Promise<Progress<VideoResult>> {
    const read = await readOperation(line, id);
    if ("progress" in read) return read.progress;
    const { status } = read;
    if (status.state === "running") return { state: "running" };
    if (status.state === "failed")
      return { state: "failed", trouble: toTrouble(troubles, status.error, line) };
    return { state: "succeeded", result: { urls: [] } };
  },

  async content(line, id, index) {
    const read = await readOperation(line, id);
    const url = "status" in read && read.status.state === "succeeded" ? read.status.urls[index] : undefined;
    const { origin, base } = line.service;
    // The key must not be sent to any other address.
    if (url === undefined || !url.startsWith(`${origin}${base}/`)) return { trouble: expiredTrouble };
    const file = await openFile(line, url.slice(origin.length + base.length));
    if ("url" in file || file.response.status < 400) return file;
    return { trouble: troubleOf(troubles, await readReply(file.response, line), line) };
  },
};

const expiredTrouble = { kind: "expired", message: "The provider no longer has this video." } as const;

async function readOperation(
  line: Line,
  id: string,
): Promise<{ status: OperationStatus } | { progress: Progress<VideoResult> }> {
  const reply = await exchange(line, { method: "GET", path: pathOf(id) });
  if (reply.status === 404) return { progress: lost() };
  if (reply.status === 410) return { progress: expired() };
  if (reply.status >= 400 || !isObject(reply.body))
    return { progress: unanswered(troubleOf(troubles, reply, line)) };
  return { status: decode(reply.body) };
}
