import { textOf, toObject } from "@manifold-gateway/core/codec";
import type { VideoAsk } from "@manifold-gateway/core/operations";
import type { Line } from "../../adapter.ts";
import { type Call, exchange, unreadable } from "../../call.ts";
import { troubles } from "../../genstyle.ts";
import { refuse, troubleOf } from "../../job-error.ts";
import { inlineOnly, untaken } from "../../source.ts";

/** Begins an operation, and returns its name. Images have to be bytes. */
export async function submitOperation(line: Line, ask: VideoAsk, call: Call) {
  const odd = ask.parts.find(({ type }) => type === "video" || type === "audio");
  if (odd) return refuse(untaken(odd.at, odd.type));
  const address = ask.parts.find((part) => part.type !== "text" && part.source.type !== "base64");
  if (address) return refuse(inlineOnly(address.at));
  const reply = await exchange(line, { ...call, begins: true });
  if (reply.status >= 400) return { state: "failed", trouble: troubleOf(troubles, reply, line) } as const;
  const id = textOf(toObject(reply.body).name);
  if (!id) throw unreadable();
  return { id };
}
