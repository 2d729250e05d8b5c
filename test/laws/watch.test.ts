import { DONE, observe, observeBody } from "@manifold-gateway/core";
import { run } from "@manifold-gateway/core/codec";
import { fold } from "@manifold-gateway/core/ir";
import { describe, expect, test } from "vitest";
import { bodies, rows, streams } from "./fixtures.ts";

describe("watchers of relayed replies", () => {
  test.each(rows(streams))(
    "a watcher of marked chunks learns the same of a stream as a reader of all: %s",
    (_, { codec, value }) => {
      const events = run(codec.reply.decode(), value);
      const reply = fold(events);
      const watcher = observe(codec);
      const decoder = codec.reply.decode();
      let told = false;
      let ended = false;
      for (const chunk of value) {
        const spoken = decoder.step(chunk).some(({ type }) => type === "failure");
        told ||= spoken;
        const { last, failed } = watcher.chunk(chunk === DONE ? chunk : JSON.stringify(chunk));
        ended ||= last;
        // A chunk without a mark is not looked into, so that it says nothing of what came before it.
        if (spoken || failed) expect(failed).toBe(told);
      }
      expect(ended).toBe(value.some((chunk) => codec.frame.last(chunk)));
      const seen = watcher.end();
      expect(seen.failure !== undefined).toBe(told);
      expect(seen.usage).toEqual(reply.usage);
      expect(seen.finish?.raw).toBe(reply.choices[0]?.finish?.raw);
      // A cut stream is known by its missing end; what upstream said went wrong is known by its words.
      if (reply.failure && seen.failure) expect(seen.failure).toEqual(reply.failure);
      if (reply.failure && !seen.failure) expect(seen.finish).toBeUndefined();
      const spoke = reply.choices.some(({ parts }) =>
        parts.some((part) => part.type === "text" && part.text !== ""),
      );
      if (spoke) expect(seen.content).toBeGreaterThan(0);
    },
  );

  test.each(rows(bodies))(
    "a watcher learns the same of a body as a reader of all: %s",
    (_, { codec, value }) => {
      const reply = fold(run(codec.reply.decode(), codec.reply.burst(value)));
      const seen = observeBody(codec, value);
      expect(seen.usage).toEqual(reply.usage);
      expect(seen.finish).toEqual(reply.choices[0]?.finish);
      expect(seen.failure).toEqual(reply.failure);
    },
  );
});
