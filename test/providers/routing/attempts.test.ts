import {
  type Credential,
  defineProvider,
  UpstreamBody,
  UpstreamFault,
  type UpstreamResponse,
} from "@manifold-gateway/providers";
import {
  type Attempt,
  Attempts,
  CircuitOpen,
  type CredentialChoice,
  circuitDefaults,
  createCircuitBreakers,
  createCredentialPool,
  PlanQueue,
  verdictOfStatus,
} from "@manifold-gateway/providers/routing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

const provider = defineProvider("p", { origin: "https://p.test", speaks: ["chatstyle"], key: "k" });

interface Plan {
  resolution: { id: string; provider: typeof provider };
}

/** Answers each call with the next status, or rejects with the next fault. */
type Course = number | UpstreamFault;

const toResponse = (status: number, headers: UpstreamResponse["headers"] = {}): UpstreamResponse => {
  const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} });
  body.finish();
  return { status, headers, body };
};

interface Rules {
  maxAttempts?: number;
  retryAmbiguousFailures?: boolean;
  maxRetryAfterWait?: number;
}

/** Calls entries with these courses, one for each, without breakers and without a limiter. */
async function run(courses: readonly Course[], rules: Rules = {}) {
  const routing = {
    credentials: createCredentialPool({ maxCooldown: 1_000 }, () => 0),
    ...{ maxAttempts: 3, retryAmbiguousFailures: false, maxRetryAfterWait: 0, ...rules },
  };
  const attempts: Attempt[] = [];
  const send = async ({ resolution: { id } }: Plan): Promise<UpstreamResponse> => {
    const course = courses[Number(id)] as Course;
    if (typeof course !== "number") throw course;
    return toResponse(course);
  };
  const calls = new Attempts<Plan>({ routing, now: () => 0, steady: () => 0 }, "", { send }, attempts);
  const candidates = courses.map((_, i) => ({ id: String(i), provider }));
  const queue = new PlanQueue({ candidates }, { plan: (resolution) => ({ resolution }) }, { most: 9 });
  const outcome = await calls.call(queue).then(
    ({ response }) => response.status,
    (error: unknown) => error,
  );
  calls.close();
  return { outcome, called: attempts.map(({ entry }) => Number(entry)), attempts };
}

const statuses = fc.constantFrom(200, 400, 401, 402, 403, 404, 408, 413, 422, 429, 500, 502, 503, 529);

describe("the calls for one request", () => {
  it("end at the first answer, or failure after which no other call may follow, and never exceed the limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(statuses, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (courses, maxAttempts, retryAmbiguousFailures) => {
          const goesOn = (status: number): boolean => {
            const { elsewhere, charged } = verdictOfStatus(status);
            return status >= 400 && elsewhere && (charged === "no" || retryAmbiguousFailures);
          };
          const end = courses.findIndex((status) => !goesOn(status));
          const expected = Math.min(maxAttempts, end < 0 ? courses.length : end + 1);
          const { outcome, called } = await run(courses, { maxAttempts, retryAmbiguousFailures });
          expect(called).toEqual(Array.from({ length: expected }, (_, i) => i));
          expect(outcome).toBe(courses[expected - 1]);
        },
      ),
    );
  });

  it("throw the last fault if no call was answered", async () => {
    const [gone, late] = [new UpstreamFault("connect"), new UpstreamFault("timeout")];
    const { outcome, attempts } = await run([gone, late, 200]);
    expect(outcome).toBe(late);
    expect(attempts).toEqual([
      { entry: "0", provider: "p", ms: 0, fault: "connect" },
      { entry: "1", provider: "p", ms: 0, fault: "timeout", perhapsCharged: true },
    ]);
  });

  it("repeat a last entry once that could not be reached, if a wait is allowed", async () => {
    const { called } = await run([new UpstreamFault("connect")], { maxRetryAfterWait: 1 });
    expect(called).toEqual([0, 0]);
  });

  it("go on with another credential where one is refused", async () => {
    const credentials: Credential[] = ["a", "b"].map((name) => ({ name, key: name, weight: 1 }));
    const choice: CredentialChoice = { credentials, identity: () => "", preferred: "a" };
    const pool = createCredentialPool({ maxCooldown: 1_000 }, () => 0);
    const routing = {
      credentials: pool,
      maxAttempts: 3,
      retryAmbiguousFailures: false,
      maxRetryAfterWait: 0,
    };
    const attempts: Attempt[] = [];
    const send = async (_: Plan, credential: Credential | undefined) =>
      toResponse(credential?.name === "a" ? 401 : 200);
    const calls = new Attempts<Plan>({ routing, now: () => 0, steady: () => 0 }, "", { send }, attempts);
    const candidates = [{ id: "0", provider }];
    const queue = new PlanQueue({ candidates }, { plan: (resolution) => ({ resolution }) }, { most: 1 });
    const { response, credential } = await calls.call(queue, { credentials: () => choice });
    expect([response.status, credential?.name]).toEqual([200, "b"]);
    expect(pool.of(credentials[0]!).state).toBe("denied");
  });

  it("reject where a circuit is open, with an error of its own", async () => {
    const breakers = createCircuitBreakers({ ...circuitDefaults, failures: 1 }, () => 0);
    breakers.failed("0", "");
    const routing = {
      ...{ breakers, credentials: createCredentialPool({ maxCooldown: 1_000 }, () => 0) },
      ...{ maxAttempts: 3, retryAmbiguousFailures: false, maxRetryAfterWait: 0 },
    };
    const attempts: Attempt[] = [];
    const send = async (): Promise<UpstreamResponse> => toResponse(200);
    const calls = new Attempts<Plan>({ routing, now: () => 0, steady: () => 0 }, "", { send }, attempts);
    const candidates = [{ id: "0", provider }];
    const queue = new PlanQueue({ candidates }, { plan: (resolution) => ({ resolution }) }, { most: 1 });
    await expect(calls.call(queue)).rejects.toBeInstanceOf(CircuitOpen);
    expect(attempts).toMatchObject([{ entry: "0", fault: "circuit_open" }]);
  });
});

it("the body of an error after which another call follows is read for a limited time", async () => {
  vi.useFakeTimers();
  try {
    const body = new UpstreamBody({ pause() {}, resume() {}, abort() {} });
    const answers = [{ status: 503, headers: {}, body }, toResponse(200)];
    let read: Promise<unknown> = Promise.resolve();
    const sender = {
      send: async () => answers.shift() as UpstreamResponse,
      discarded: (_: Plan, _attempt: Attempt, bytes: Promise<unknown>) => {
        read = bytes;
      },
    };
    const routing = {
      credentials: createCredentialPool({ maxCooldown: 1_000 }, () => 0),
      ...{ maxAttempts: 3, retryAmbiguousFailures: false, maxRetryAfterWait: 0 },
    };
    const calls = new Attempts<Plan>({ routing, now: () => 0, steady: () => 0 }, "", sender, []);
    const candidates = ["a", "b"].map((id) => ({ id, provider }));
    const queue = new PlanQueue({ candidates }, { plan: (resolution) => ({ resolution }) }, { most: 9 });
    expect((await calls.call(queue)).response.status).toBe(200);
    vi.runAllTimers();
    await expect(read).rejects.toMatchObject({ kind: "timeout" });
  } finally {
    vi.useRealTimers();
  }
});
