import { isObject, textOf, toObject } from "@manifold-gateway/core/codec";
import type { VideoAsk, VideoPart, VideoResult } from "@manifold-gateway/core/operations";
import type { Adapter, Line, Progress } from "../../adapter.ts";
import { exchange, unreadable } from "../../call.ts";
import { refuse, toTrouble, troubleOf } from "../../job-error.ts";
import { troubles } from "../../mediastyle.ts";
import { fieldOf, unresolved } from "../../source.ts";
import { videoLosses } from "../losses.ts";
import { expired, lost, unanswered } from "../poll-results.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

const TASKS = "/contents/generations/tasks";
const taskPath = (id: string): string => `${TASKS}/${encodeURIComponent(id)}`;

/** Videos of the media wire: tasks that can be created, read and, while queued, deleted. */
export const mediastyleVideo: Adapter<VideoAsk, VideoResult> = {
  losses: videoLosses("mediastyle"),
  async submit(line, ask) {
    const parts = await Promise.all(ask.parts.map((part) => addressed(line, part)));
    const refused = parts.find((part) => typeof part === "string");
    if (refused !== undefined) return refuse(refused);
    const expires = line.deadline === undefined ? undefined : Math.ceil((line.deadline - line.now()) / 1000);
    const options = { model: line.model, user: line.user, expires };
    const reply = await exchange(line, {
      ...encode({ ...ask, parts: parts as VideoPart[] }, options),
      begins: true,
    });
    if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) };
    const id = textOf(toObject(reply.body).id);
    if (!id) throw unreadable();
    return { id };
  },

  async poll(line, id): Promise<Progress<VideoResult>> {
    const reply = await exchange(line, { method: "GET", path: taskPath(id) });
    if (reply.status === 404) return lost();
    if (reply.status >= 400 || !isObject(reply.body)) return unanswered(troubleOf(troubles, reply, line));
    const task = decode(reply.body);
    switch (task.state) {
      case "queued":
      case "running":
        return { state: task.state };
      case "cancelled":
        return { state: "cancelled", trouble: { kind: "expired", message: "The video was cancelled." } };
      case "expired":
        return expired();
      case "failed": {
        const trouble = toTrouble(troubles, task.error, line);
        const { code } = task.error;
        const named = code !== undefined && trouble.kind !== "misconfigured";
        return {
          state: "failed",
          trouble: named ? { ...trouble, message: `${code}: ${trouble.message}` } : trouble,
        };
      }
      case "succeeded":
        return { state: "succeeded", result: task.result };
    }
  },

  async cancel(line, id) {
    // Deleting an ended task would lose its output, and a running one refuses to be deleted.
    const reply = await exchange(line, { method: "GET", path: taskPath(id) });
    if (reply.status < 400 && isObject(reply.body) && decode(reply.body).state === "queued")
      await exchange(line, { method: "DELETE", path: taskPath(id) });
  },
};

/** A part whose bytes the provider can fetch, or the reason why it cannot. */
async function addressed(line: Line, part: VideoPart): Promise<VideoPart | string> {
  if (part.type === "text") return part;
  const { source } = part;
  if (source.type === "asset") return source.registered === undefined ? unresolved(part.at) : part;
  if (part.type !== "video" || source.type !== "base64") return part;
  if (!line.publish) return `${fieldOf(part.at)}: inline video is not accepted, send a URL`;
  const url = await line.publish(Buffer.from(source.data, "base64"), source.mediaType);
  return { ...part, source: { type: "url", url } };
}
