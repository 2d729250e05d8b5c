import * as z from "zod";
import { readTable } from "./name-table.ts";

const count = z.coerce.number().int().min(0).max(1000);
const flag = z.literal("").transform(() => true);
const code = z.string().regex(/^[\w.-]+$/);
const size = z
  .string()
  .regex(/^\d{1,5}x\d{1,5}$/)
  .transform((text) => text.split("x").map(Number) as [number, number]);
const indices = z
  .string()
  .regex(/^\d+(\+\d+)*$/)
  .transform((text) => text.split("+").map(Number));

/** Everything that can become of a media work, as `[[outcome:name=value,name]]`; several combine. */
export const OUTCOMES = {
  queued: count.describe("is waiting for this many reads; none, unless said"),
  running: count.describe("then runs for this many reads; one, unless said"),
  state: code.describe("reports this word as its state until it ends"),
  refuse: code.describe("is refused at once with this code; `moderation` is the vendor's own for it"),
  fail: code.describe("fails with this code in the end; `moderation` and `internal` are the vendor's own"),
  expire: flag.describe("ends as expired"),
  cancel: flag.describe("ends as cancelled, though nobody asked for it"),
  lost: count.describe("is not found any more after this many reads"),
  items: indices.describe("these members of a group, counted from 0, are moderated: `items=0+2`"),
  stop: count.describe("the group ends at this member, counted from 0, with an internal error"),
  images: count.describe("makes this many images, whatever was asked"),
  size: size.describe("makes pictures of this size, whatever was asked"),
  seconds: z.coerce.number().min(0).max(600).describe("lasts this long, whatever was asked"),
  gone: flag.describe("its files cannot be downloaded any more"),
  lifetime: count.describe("seconds that its files can be downloaded for"),
  broken: flag.describe("its files break off half way"),
  silent: flag.describe("succeeds without any output"),
};

const schema = z.strictObject(OUTCOMES).partial();

/** An outcome as data, the names being those of the table. */
export type Outcome = z.infer<typeof schema>;

/** Reads `running=2,fail=moderation` and the like. */
export const readOutcome = (text: string): Outcome => readTable("outcome", schema, text);
