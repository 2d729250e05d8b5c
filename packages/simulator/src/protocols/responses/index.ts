import { list } from "../family.ts";
import { bearer, defineProtocol } from "../protocol.ts";
import { refuse, streamError } from "./errors.ts";
import { read } from "./read.ts";
import { stream } from "./stream.ts";
import { write } from "./write.ts";

export const responses = defineProtocol({
  name: "responses",
  key: bearer,
  read,
  write,
  stream,
  refuse,
  streamError,
  list,
});
