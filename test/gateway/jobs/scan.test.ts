import { expect, it } from "vitest";
import { createScan } from "../../../packages/gateway/src/jobs/scan.ts";
import { silent } from "../../support/log.ts";
import { manualClock } from "./clock.ts";

/** More than a look has between its end and the next. */
const STEPS = 16;

it.each(Array.from({ length: STEPS }, (_, step) => step))(
  "a wake is followed by a look, also %i steps after one that ends",
  async (step) => {
    let looks = 0;
    let end = () => {};
    const scan = createScan({ clock: manualClock(0), log: silent, limits: { rest: 1_000 } }, "failed", () => {
      looks += 1;
      return new Promise((resolve) => {
        end = () => resolve(undefined);
      });
    });
    scan.start();
    end();
    for (let passed = 0; passed < step; passed++) await Promise.resolve();
    const looked = scan.look();
    // What was in progress comes to its end.
    for (let passed = 0; passed < STEPS; passed++) await Promise.resolve();
    expect(looks).toBe(2);
    end();
    await looked;
    await scan.stop();
    expect(looks).toBe(2);
  },
);
