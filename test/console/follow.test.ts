import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { follow } from "../../packages/console/web/src/live/follow.ts";

class Source {
  readonly path: string;
  isClosed = false;
  static CLOSED = 2;
  readyState = 1;
  onopen = () => {};
  onerror = () => {};
  constructor(path: string) {
    this.path = path;
    sources.push(this);
  }
  addEventListener() {}
  close() {
    this.isClosed = true;
  }
}
let sources: Source[] = [];
/** What gives the lock to those that wait for it, in their order. */
let waiting: (() => Promise<void>)[] = [];

beforeEach(() => {
  [sources, waiting] = [[], []];
  const request = (_name: string, _options: object, use: () => Promise<void>) =>
    new Promise<void>((resolve) => {
      waiting.push(() => use().then(resolve));
    });
  vi.stubGlobal("EventSource", Source);
  vi.stubGlobal("navigator", { locks: { request } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a lock that comes after the wait for it was left opens no stream, and is given back", async () => {
  const leaveFirst = follow("account", () => {});
  leaveFirst();
  const leaveSecond = follow("account", () => {});
  expect(waiting).toHaveLength(2);
  await waiting[0]!();
  expect(sources).toEqual([]);
  const held = waiting[1]!();
  expect(sources).toMatchObject([{ path: "/api/compat/v1/events", isClosed: false }]);
  leaveSecond();
  await held;
  expect(sources).toMatchObject([{ isClosed: true }]);
});

it("a tab reads its own stream while the one that has the lock is silent", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const received: string[] = [];
  const leave = follow("account", ({ type }) => received.push(type));
  vi.advanceTimersByTime(2_999);
  expect(sources).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(sources).toMatchObject([{ isClosed: false }]);
  sources[0]!.onopen();
  const other = new BroadcastChannel("events /api/compat/v1/events");
  other.postMessage({ event: { type: "settled", data: "{}" } });
  await vi.waitUntil(() => received.length === 2);
  expect(received).toEqual(["open", "settled"]);
  expect(sources).toMatchObject([{ isClosed: true }]);
  leave();
  other.close();
});

it("a stream that is refused says why, in the words of the service", async () => {
  const refusal = { errors: ["There are 8 listeners already."], status: 429 };
  vi.stubGlobal("fetch", async () => Response.json(refusal, { status: 429 }));
  const received: object[] = [];
  const leave = follow("account", (event) => received.push(event));
  const held = waiting[0]!();
  sources[0]!.readyState = Source.CLOSED;
  sources[0]!.onerror();
  await held;
  expect(received).toEqual([{ type: "shut" }, { type: "shut", reason: "There are 8 listeners already." }]);
  leave();
});

it("a stream that a proxy refuses says that, and one that is lost again and again says so too", async () => {
  vi.stubGlobal("fetch", async () => new Response("<h1>Bad Gateway</h1>", { status: 502 }));
  const reasons: (string | undefined)[] = [];
  const leave = follow("account", (event) => {
    if (event.type === "shut") reasons.push(event.reason);
  });
  const held = waiting[0]!();
  sources[0]!.onerror();
  sources[0]!.onerror();
  sources[0]!.onopen();
  sources[0]!.readyState = Source.CLOSED;
  sources[0]!.onerror();
  await held;
  leave();
  expect(reasons).toEqual([
    undefined,
    "The service cannot be reached.",
    undefined,
    expect.stringContaining("A proxy answered 502"),
  ]);
});
