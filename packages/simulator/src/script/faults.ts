import * as z from "zod";
import { readTable } from "./name-table.ts";

const milliseconds = z.coerce.number().int().min(0).max(600_000);
const count = z.coerce.number().int().min(0);
const flag = z.literal("").transform(() => true);

/** Every way an exchange can go wrong, as `[[fault:name=value,name]]`; several combine. */
export const FAULTS = {
  status: z.coerce
    .number()
    .int()
    .min(400)
    .max(599)
    .describe("answers this HTTP status in the vendor's shape"),
  "retry-after": z.coerce.number().min(0).describe("seconds; goes with status"),
  cut: count.describe("drops the connection after this many bytes of the body"),
  delay: milliseconds.describe("waits before the status line"),
  stall: milliseconds.describe("waits after the first content event, or before the body of a unary answer"),
  slow: milliseconds.describe("waits between events"),
  malformed: flag.describe("breaks the JSON: of the body, or of one event after the first content event"),
  "no-usage": flag.describe("leaves usage out"),
  "error-after": count.describe(
    "reports an error in the stream after this many content events; goes with status",
  ),
  reset: flag.describe("resets the connection before any answer"),
  html: flag.describe("answers a proxy's HTML page; goes with status, else 502"),
  redirect: z.string().describe("answers 307 to this address, or to an unknown path"),
  "no-done": flag.describe("ends a stream without its closing event"),
  empty: flag.describe("answers 200 with an empty body"),
  gzip: flag.describe("compresses the body, streams too"),
  late: flag.describe("goes with status: media work is begun all the same, and nobody is told"),
  times: z.coerce
    .number()
    .int()
    .min(1)
    .describe("happens to this many requests with the same fault, then no more"),
};

const schema = z.strictObject(FAULTS).partial();

/** A fault as data, the names being those of the table. */
export type Fault = z.infer<typeof schema>;

/** Reads `status=429,retry-after=2` and the like. */
export const readFault = (text: string): Fault => readTable("fault", schema, text);
