import { list } from "../family.ts";
import { bearer, defineProtocol } from "../protocol.ts";
import { refuse, streamError } from "./errors.ts";
import { read } from "./read.ts";
import { stream } from "./stream.ts";
import { write } from "./write.ts";

export const chatstyle = defineProtocol({
  name: "chatstyle",
  key: bearer,
  read,
  write,
  stream,
  refuse,
  streamError,
  list,
});
