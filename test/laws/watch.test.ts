import { DONE, fold, observe, run } from "@manifold/core";
import { describe, expect, test } from "vitest";
import { bodies, rows, streams } from "./fixtures.ts";

describe("a watcher that looks into marked chunks only learns what a reader of all learns", () => {
  test.each(rows(streams))("%s", (_, { codec, value }) => {
    const events = run(codec.reply.decode(), value);
    const reply = fold(events);
    const watcher = observe(codec);
    let ended = -1;
    value.forEach((chunk, at) => {
      const { last, failed } = watcher.chunk(chunk === DONE ? chunk : JSON.stringify(chunk));
      if (last && ended < 0) ended = at;
      if (failed) expect(reply.failure).toBeDefined();
    });
    const seen = watcher.end();
    expect(seen.usage).toEqual(reply.usage);
    const ends = reply.choices.map(({ finish }) => finish?.raw);
    expect(ends.length > 0 ? ends : [undefined]).toContain(seen.finish?.raw);
    // A cut stream is known by its missing end; what upstream said went wrong is known by its words.
    if (reply.failure && seen.failure) expect(seen.failure).toEqual(reply.failure);
    if (reply.failure && !seen.failure) expect(seen.finish).toBeUndefined();
    const spoke = reply.choices.some(({ parts }) =>
      parts.some((part) => part.type === "text" && part.text !== ""),
    );
    if (spoke) expect(seen.content).toBeGreaterThan(0);
  });

  test.each(rows(bodies))("%s", (_, { codec, value }) => {
    const reply = fold(run(codec.reply.decode(), codec.reply.burst(value)));
    const watcher = observe(codec);
    watcher.body(value);
    const seen = watcher.end();
    expect(seen.usage).toEqual(reply.usage);
    expect(seen.finish).toEqual(reply.choices.at(-1)?.finish);
  });
});
