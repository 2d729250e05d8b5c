import { bearer, defineProtocol } from "../protocol.ts";
import { refuse, streamError } from "./errors.ts";
import { read } from "./read.ts";
import { stream } from "./stream.ts";
import { write } from "./write.ts";

export const conversestyle = defineProtocol({
  name: "conversestyle",
  framing: "frames",
  key: bearer,
  read,
  write,
  stream,
  refuse,
  streamError,
  // The vendor lists models at another address.
  list: (models) => ({ modelSummaries: models.map((modelId) => ({ modelId, modelName: modelId })) }),
});
