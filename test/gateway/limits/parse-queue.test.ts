import { setImmediate } from "node:timers/promises";
import { protocols } from "@manifold-gateway/core";
import { expect, it } from "vitest";
import { bodyLimits } from "../../../packages/gateway/src/http/body.ts";
import type { Exchange, PieceCounter } from "../../../packages/gateway/src/http/exchange.ts";
import { createParseQueue } from "../../../packages/gateway/src/limits/parse-queue.ts";
import type { ParseQueue } from "../../../packages/gateway/src/ports/bounds.ts";
import { BodyReader } from "../../../packages/gateway/src/request/body-reader.ts";

/** Heavy work on a clock that goes on where it is told to. */
function start() {
  const done: string[] = [];
  const rests: { ms: number; end(): void }[] = [];
  let time = 0;
  const heavy = createParseQueue({
    now: () => time,
    turn: async () => {},
    rest: (ms) => new Promise((resolve) => rests.push({ ms, end: () => resolve(undefined) })),
  });
  const work = (owner: string, name: string, signal?: AbortSignal): Promise<string> =>
    heavy(
      owner,
      () => {
        time += 40;
        done.push(name);
        if (name === "broken") throw new Error(name);
        return name;
      },
      signal,
    );
  /** Ends the rest that is on, and waits for the next one. */
  const goOn = async (): Promise<void> => {
    await setImmediate();
    rests.at(-1)?.end();
    await setImmediate();
  };
  return { done, rests, work, goOn };
}

it("heavy work runs one piece at a time, with equal rests, and owners take turns", async () => {
  const { done, rests, work, goOn } = start();
  const all = ["a1", "a2", "a3"].map((name) => work("a", name));
  all.push(work("b", "b1"));
  expect(await all[0]).toBe("a1");
  await goOn();
  expect(done).toEqual(["a1", "a2"]);
  await goOn();
  await goOn();
  expect(done).toEqual(["a1", "a2", "b1", "a3"]);
  expect(rests.map(({ ms }) => ms)).toEqual([40, 40, 40, 40]);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1"]);
});

it("heavy work that fails, or whose owner has left, keeps no other work from its turn", async () => {
  const { done, work, goOn } = start();
  const leaving = new AbortController();
  const broken = expect(work("a", "broken")).rejects.toThrow("broken");
  const left = expect(work("b", "left", leaving.signal)).rejects.toBe("gone");
  const last = work("c", "last");
  leaving.abort("gone");
  await left;
  await broken;
  await goOn();
  expect(await last).toBe("last");
  expect(done).toEqual(["broken", "last"]);
});

const row = JSON.stringify({ role: "user", content: "hello" });
it.each([
  ["of thousands of members", `{"messages":[${Array(6_000).fill(row).join()}]}`, true],
  ["of a long text", `{"text":"${"\\n\\t".repeat(300_000)}"}`, true],
  ["of a large picture", `{"url":"data:image/png;base64,${"Q".repeat(3_000_000)}"}`, false],
  ["of an ordinary size", `{"messages":[${Array(1_000).fill(row).join()}]}`, false],
])("a body %s is read, in a turn of its own where it takes long", async (_, text, waits) => {
  let waited = false;
  const bytes = Buffer.from(text);
  const exchange = {
    header: () => undefined,
    async body(_limit: number, counter: PieceCounter) {
      counter.add(bytes);
      return bytes;
    },
    sink: { closed: false, onLeave: () => () => {} },
  } as unknown as Exchange;
  const heavy: ParseQueue = async (_owner, parse) => {
    waited = true;
    return parse();
  };
  const source = { exchange, caller: undefined, services: { parseQueue: heavy, protocols } };
  const read = await new BodyReader(source, bodyLimits).read({});
  expect(waited).toBe(waits);
  expect(JSON.stringify(read.value)).toHaveLength(text.length);
});
