import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type AnyCodec, chatstyle, codecs, DONE } from "@manifold-gateway/core";
import { each } from "@manifold-gateway/core/codec";
import type { Event } from "@manifold-gateway/core/ir";
import { assertLaws, everySplit, fixturesOf, laws, readFixtures } from "@manifold-gateway/testing";
import { expect, it } from "vitest";

it.each(Object.entries(codecs) as [string, AnyCodec][])("the codec of %s keeps every law", (name, codec) => {
  const fixtures = fixturesOf(codec.protocol);
  expect([name, fixtures.requests.length > 5, fixtures.streams.length > 3]).toEqual([name, true, true]);
  assertLaws(codec, fixtures);
});

const codec: AnyCodec = chatstyle;
const { request, reply } = codec;
const decoding = (change: (event: Event) => Event[]): AnyCodec => ({
  ...codec,
  reply: {
    ...reply,
    decode() {
      const machine = reply.decode();
      const after = each(change);
      const through = (events: Event[]): Event[] => events.flatMap((event) => after.step(event));
      return { step: (chunk) => through(machine.step(chunk)), end: () => through(machine.end()) };
    },
  },
});
const encoding = (change: (wire: Record<string, unknown>) => object): AnyCodec => ({
  ...codec,
  request: { ...request, encode: (...given) => change(request.encode(...given)) },
});

let calls = 0;
/** A codec for each law, which breaks it. */
const broken: Record<string, AnyCodec> = {
  "a request that is written again loses nothing": {
    ...codec,
    request: {
      ...request,
      encode(asked, lose, traits) {
        lose("/messages/0", "unsupported", "forgotten");
        return request.encode(asked, lose, traits);
      },
    },
  },
  "a request that is written again has its texts and numbers": encoding((wire) => ({
    ...wire,
    messages: (wire.messages as unknown[]).slice(-1),
  })),
  "a request that was written once is written the same again": encoding((wire) => ({
    ...wire,
    user: `user ${calls++}`,
  })),
  "a body is what its chunks gather to": {
    ...codec,
    reply: { ...reply, gather: (chunks) => ({ ...reply.gather(chunks), id: "another" }) },
  },
  "a streamed reply is the whole one of the same name": {
    ...codec,
    reply: { ...reply, burst: (body) => reply.burst({ ...(body as object), choices: [] }) },
  },
  "the events of a reply keep their grammar": decoding((event) =>
    event.type === "close" ? [event, event] : [event],
  ),
  "a reply that is written and read again says the same": {
    ...codec,
    reply: {
      ...reply,
      encode(head, lose) {
        const machine = reply.encode(head, lose);
        return {
          step: (event) => (event.type === "usage" ? [] : machine.step(event)),
          end: () => machine.end(),
        };
      },
    },
  },
  "any split of the bytes of a stream gives the same events": decoding((event) =>
    event.type === "delta" ? [{ ...event, text: `${event.text}${calls++}` }] : [event],
  ),
};

it.each(laws.map(({ title }) => title))("a codec that breaks it is told of the law: %s", (title) => {
  const { requests, bodies, streams } = fixturesOf("chatstyle");
  expect(broken).toHaveProperty([title]);
  const twins = streams.filter(({ name }) => bodies.some((body) => body.name === name));
  const few = { requests: requests.slice(0, 3), bodies, streams: twins.slice(0, 3) };
  expect(() => assertLaws(broken[title]!, few)).toThrow(`${title}, which does not hold:`);
});

it("a codec is never sound for want of fixtures", () => {
  expect(() => assertLaws(codec, { requests: [], bodies: [], streams: [] })).toThrow(/was given no fixtures/);
  expect(() => readFixtures("no/such/folder")).toThrow(/^no\/such\/folder: there are no requests/);
});

it("fixtures are read as providers send them, and a line that is no JSON is named", () => {
  const folder = mkdtempSync(join(tmpdir(), "fixtures-"));
  mkdirSync(join(folder, "streams"));
  const file = join(folder, "streams/hello.jsonl");
  writeFileSync(file, '{"choices":[]}\n\n[DONE]\n');
  const { streams } = readFixtures(pathToFileURL(folder));
  expect(streams).toEqual([{ name: "hello", value: [{ choices: [] }, DONE] }]);
  writeFileSync(file, '{"choices":[]}\ndata: {}\n');
  expect(() => readFixtures(folder)).toThrow(`${file}:2: this is no JSON: data: {}`);
  rmSync(folder, { recursive: true });
});

it("every split joins to the same bytes, and one cuts inside a character", () => {
  const bytes = new TextEncoder().encode("zwölf");
  const splits = [...everySplit(bytes)];
  expect(splits).toHaveLength(bytes.length + 2);
  for (const split of splits) expect(Buffer.concat(split)).toEqual(Buffer.from(bytes));
  expect(splits).toContainEqual([bytes.subarray(0, 3), bytes.subarray(3)]);
});
