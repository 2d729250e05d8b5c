import { expect, vi } from "vitest";
import { type Answer, type Driver, type Kind, PNG } from "./driver.ts";
import { failureOf, type World } from "./world.ts";

/** One SDK with one provider behind it. */
export interface Cell extends World {
  driver: Driver;
  /** The protocol that the provider speaks. */
  protocol: string;
  model: string;
}

const CITIES = ["Paris", "Oslo"];
const callOf = (city: string): string => `[[call:get_weather {"city":"${city}"}]]`;

/** The usage that an SDK reports is what the provider bills. */
function expectUsage({ usage }: Answer, { simulator }: Cell): void {
  const truth = simulator.ledger.last()?.usage;
  if (usage) expect(usage).toEqual({ input: truth?.input, output: truth?.output });
}

async function text(cell: Cell, stream: boolean): Promise<void> {
  const { driver, protocol, model, send, options, simulator } = cell;
  const pieces: string[] = [];
  const words = "Hello, wörld 🌍, and all that is in it.";
  const answer = await driver
    .open({ send, options, model, stream, onText: (piece) => pieces.push(piece) })
    .say(words);
  expect(answer.text).toBe(`You said: ${words}`);
  expectUsage(answer, cell);
  expect(simulator.ledger.entries).toMatchObject([{ protocol, stream, delivered: "complete" }]);
  if (!stream) return;
  expect(pieces.join("")).toBe(answer.text);
  expect(pieces.length).toBeGreaterThan(1);
}

/** Three turns: a call, another upon its result, and an answer upon that. */
async function tools(
  { driver, protocol, model, send, options, simulator }: Cell,
  stream: boolean,
  reasons: boolean,
) {
  const conversation = driver.open({ send, options, model, stream, tools: true, reasons });
  const more = reasons ? " [[reason]]" : "";
  const [first, second] = CITIES.map((city) => `${callOf(city)}${more} [[step]]`);
  let answer = await conversation.say(`Where is it warm? ${first} ${second}${more}`);
  for (const city of CITIES) {
    expect(answer.calls).toEqual([{ id: expect.any(String), name: "get_weather", args: { city } }]);
    answer = await conversation.result(answer.calls, `Sunny in ${city}.`);
  }
  expect(answer.calls).toEqual([]);
  // The simulator checks seals as vendors do: a wrong or missing one is a 400.
  expect(answer.text).toMatch(/^get_weather returned: .*Sunny in Oslo\./);
  expect(simulator.ledger.entries).toHaveLength(3);
  for (const entry of simulator.ledger.entries)
    expect(entry).toMatchObject({ protocol, delivered: "complete", status: 200 });
  const last = JSON.stringify(simulator.ledger.last()?.request);
  for (const city of CITIES) expect(last).toContain(`Sunny in ${city}.`);
}

async function format({ driver, model, send, options, simulator }: Cell): Promise<void> {
  const answer = await driver.open({ send, options, model, stream: false, format: true }).say("Who?");
  expect(JSON.parse(answer.text)).toEqual({ name: expect.any(String), age: expect.any(Number) });
  // The schema went to the provider.
  expect(JSON.stringify(simulator.ledger.last()?.request)).toContain("age");
}

async function image({ driver, model, send, options }: Cell): Promise<void> {
  const answer = await driver.open({ send, options, model, stream: false }).say("What is this?", PNG);
  expect(answer.text).toContain("I see 1 image (image/png");
}

/** An error of the provider, in the words of the provider, as an error of the SDK. */
async function refused({ driver, model, send, options }: Cell, fault: string, status: number): Promise<void> {
  const running = driver.open({ send, options, model, stream: false }).say(`[[fault:${fault}]]`);
  const thrown = driver.thrown(await failureOf(running));
  expect(thrown).toMatchObject({ kind: expect.any(String), status });
  expect(thrown.message).not.toMatch(/<html|Connection error|fetch failed/i);
}

/** A stream that the provider cuts is an error of the SDK, after what had come. */
async function cut({ driver, model, send, options }: Cell): Promise<void> {
  const pieces: string[] = [];
  const running = driver
    .open({ send, options, model, stream: true, onText: (piece) => pieces.push(piece) })
    .say(`${"long ".repeat(400)}[[fault:cut=5000]]`);
  const failure = await failureOf(running);
  expect(pieces.join("")).toMatch(/^You said: long /);
  if (driver.cut) expect((failure as Error | undefined)?.constructor.name).toBe(driver.cut);
  else expect(driver.thrown(failure)).toMatchObject({ kind: expect.any(String) });
}

/** A caller that leaves takes the request to the provider along. */
async function abort(
  { driver, model, send, options, simulator, hasLeft }: Cell,
  stream: boolean,
): Promise<void> {
  const leaving = new AbortController();
  const running = driver
    .open({ send, options, model, stream, signal: leaving.signal, onText: () => leaving.abort() })
    .say("Take your time. [[fault:stall=600000]]");
  if (!stream) {
    await vi.waitFor(() => expect(simulator.ledger.entries).toHaveLength(1), { interval: 1 });
    leaving.abort();
  }
  await expect(running).rejects.toThrow();
  await vi.waitFor(() => expect(hasLeft()).toBe(true), { interval: 1 });
}

/** What is shown of each cell, by its kind. */
export const scenarios: Record<Kind, (cell: Cell) => Promise<void>> = {
  text: (cell) => text(cell, false),
  stream: (cell) => text(cell, true),
  tools: (cell) => tools(cell, false, false),
  "streamed tools": (cell) => tools(cell, true, false),
  reasoning: (cell) => tools(cell, false, true),
  "streamed reasoning": (cell) => tools(cell, true, true),
  format,
  image,
  refusal: (cell) => refused(cell, "status=400", 400),
  outage: (cell) => refused(cell, "status=429", 429),
  page: (cell) => refused(cell, "html,status=503", 503),
  cut,
  abort: (cell) => abort(cell, false),
  "streamed abort": (cell) => abort(cell, true),
};
