import type { VideoAsk, VideoResult } from "@manifold-gateway/core/operations";
import type { Adapter } from "../../adapter.ts";
import { type Call, readReply } from "../../call.ts";
import { troubles } from "../../genstyle.ts";
import { troubleOf } from "../../job-error.ts";
import { openFile } from "../../open-file.ts";
import { videoLosses } from "../losses.ts";
import { expiredTrouble, pollOperation, readOperation } from "../operation.ts";
import { finish } from "./decode.ts";
import { encode } from "./encode.ts";
import { submitOperation } from "./submit.ts";

/** The call that reads an operation: its id is a path below the base, `models/m/operations/x`. */
const reading = (id: string): Call => ({
  method: "GET",
  path: `/${id.split("/").map(encodeURIComponent).join("/")}`,
});

/** Videos of models that generate content: long-running operations whose outputs need the provider's key. */
export const genstyleVideo: Adapter<VideoAsk, VideoResult> = {
  losses: videoLosses("genstyle"),
  inline: true,
  submit: (line, ask) => submitOperation(line, ask, encode(ask, line.model)),
  poll: (line, id) => pollOperation(line, reading(id), finish),

  async content(line, id, index) {
    const read = await readOperation(line, reading(id), finish);
    const url = "status" in read && read.status.state === "succeeded" ? read.status.videos[index] : undefined;
    const { origin, base } = line.service;
    // The key must not be sent to any other address.
    if (url === undefined || !url.startsWith(`${origin}${base}/`)) return { trouble: expiredTrouble };
    const file = await openFile(line, url.slice(origin.length + base.length));
    if ("url" in file || file.response.status < 400) return file;
    return { trouble: troubleOf(troubles, await readReply(file.response, line), line) };
  },
};
