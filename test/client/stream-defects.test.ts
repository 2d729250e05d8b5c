import { describe, expect, it } from "vitest";
import { createReports } from "../../packages/client/src/report.ts";
import { ReplyStream } from "../../packages/client/src/text/stream.ts";

/** A stream of two pieces, at the second of which the reader of the reply fails. */
function open(onError?: (error: unknown) => void) {
  const pieces = ["one", "two"].map((text) => new TextEncoder().encode(text));
  const body = { next: async () => pieces.shift(), cancel: () => {} };
  const reply = {
    encoding: "utf8",
    losses: [],
    observation: () => ({ content: 1 }),
    push: () => {
      if (pieces.length === 0) throw new TypeError("a defect");
      return "one";
    },
    finish: (fault?: string) => `[${fault}]`,
  };
  const report = createReports({})("best", "id", { onError });
  return new ReplyStream(body as never, reply as never, new AbortController().signal, report);
}

const textOf = async (stream: ReplyStream): Promise<string> => {
  expect(await stream.begin()).toBeUndefined();
  return new Response(stream.readable(() => {})).text();
};

describe("a defect in the middle of a stream", () => {
  it("is named in the error of the stream, where the caller is the program itself", async () => {
    expect(await textOf(open())).toBe("one[The client failed: TypeError: a defect.]");
  });

  it("goes to `onError` and not to other callers", async () => {
    const errors: unknown[] = [];
    expect(await textOf(open((error) => errors.push(error)))).toBe("one[The client failed.]");
    expect(errors).toEqual([expect.objectContaining({ message: "a defect" })]);
  });
});
