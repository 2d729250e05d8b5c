import type { ComponentChildren } from "preact";
import { ShortId } from "../ui/parts.tsx";
import { pageOf } from "./words.ts";

/** The ids of requests that are lines: that of the batch, and the number of the line in its file. */
const LINE = /^((?:msg)?batch_[\w-]+)\/(\d+)$/;

/** The batch of which a request is a line, among other facts, where it is one. */
export function lineFact(requestId: string | undefined, account: string): [string, ComponentChildren][] {
  const [, batch, number] = LINE.exec(requestId ?? "") ?? [];
  if (batch === undefined) return [];
  const link = (
    <a key="b" href={pageOf(batch, account)}>
      <ShortId of={batch} />, line {number}
    </a>
  );
  return [["Batch", link]];
}
