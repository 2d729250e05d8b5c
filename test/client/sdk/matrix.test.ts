import { beforeEach, describe, it } from "vitest";
import { PROTOCOLS } from "../../support/text.ts";
import { type Driver, type Kind, kinds, type Lacks } from "./driver.ts";
import { drivers } from "./drivers/index.ts";
import { type Cell, scenarios } from "./scenarios.ts";
import { world } from "./world.ts";

const shared = world();

/** What is not shown of an SDK on a protocol, with its reasons. */
const lacks = ({ wire, lacks, lacksAtHome }: Driver, protocol: string): Lacks => ({
  ...lacks,
  ...(wire === protocol && lacksAtHome),
});

beforeEach(() => shared.simulator.reset());

describe.each(drivers)("$name", (driver) => {
  describe.each(PROTOCOLS)("an SDK in front of a provider of %s", (protocol) => {
    const cell: Cell = { driver, protocol, model: `${protocol}/sim-text`, ...shared };
    const shown = (Object.keys(kinds) as Kind[]).filter((kind) => !lacks(driver, protocol)[kind]);
    it.each(shown.map((kind) => [kinds[kind], kind] as const))("an SDK %s", (_, kind) =>
      scenarios[kind](cell),
    );
  });
});
