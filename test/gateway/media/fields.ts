import { samples } from "@manifold-gateway/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../../support/caller.ts";
import { startMediaStage } from "../../support/media.ts";
import type { Stage } from "../../support/stage.ts";

/** What a body is changed by, and what that gets: nothing for a success, else what the first error says. */
export type Row = readonly [change: Json, refused?: RegExp];

/** What a route takes and refuses: a good body, the status it gets, and the changes to it. */
interface Table {
  path: string;
  body: Json;
  status: number;
  rows: Row[];
}

export const image = { type: "imageUrl", url: "https://files.example.com/a.png" };
export const video = { type: "videoUrl", url: "https://files.example.com/a.mp4" };
export const audio = { type: "audioUrl", url: "https://files.example.com/a.mp3", role: "referenceAudio" };
export const words = { type: "text", text: "A lighthouse." };
export const png = samples.png(640, 640).toString("base64");
export const part = (one: object): Json => ({ content: [words, one] });
export const parts = (...all: object[]): Json => ({ content: [words, ...all] });
export const gone = (name: string): Json => ({ [name]: undefined });
export const long = (length: number): string => "x".repeat(length);

/** Each value of a field as a row of its own. */
export const good = (name: string, ...values: unknown[]): Row[] => values.map((value) => [{ [name]: value }]);
export const bad = (name: string, ...values: unknown[]): Row[] =>
  values.map((value) => [{ [name]: value }, new RegExp(`^${name}`)]);
export const within = (name: string, least: number, most: number): Row[] => [
  ...good(name, least, most),
  ...bad(name, least - 1, most + 1, least + 0.5, String(least), null, [least]),
];
export const flag = (name: string): Row[] => [...good(name, true, false), ...bad(name, "true", 1, null)];
export const oneOf = (name: string, ...words: unknown[]): Row[] => [
  ...good(name, ...words),
  ...bad(name, "other", 7.5, null),
];

/** Holds a gateway to tables, each by its name. */
export function checkFields(tables: Record<string, Table>): void {
  let h: Stage;
  beforeAll(async () => {
    h = await startMediaStage();
  });
  afterAll(() => h.close());

  for (const [name, { path, body, status, rows }] of Object.entries(tables))
    describe(name, () => {
      const named = rows.map(([change, refused]) => {
        const text = JSON.stringify(change, (_, value: unknown) =>
          value === undefined ? "(absent)" : value,
        );
        return [text.length > 120 ? `${text.slice(0, 120)}…` : text, change, refused] as const;
      });
      it.each(named)(
        "the route takes or refuses the change, as its row says: %s",
        async (_, change, refused) => {
          const before = await h.balance();
          const response = await h.call(path, { ...body, ...change });
          const answer = (await response.json()) as Json;
          if (!refused) return expect([response.status, answer.errors]).toEqual([status, undefined]);
          expect(response.status, JSON.stringify(answer)).toBe(400);
          expect(answer.errors.join("\n")).toMatch(new RegExp(refused, "m"));
          expect((await h.balance()).held).toBeLessThanOrEqual(before.held);
          return undefined;
        },
      );
    });
}
