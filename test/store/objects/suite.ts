import { afterAll, beforeAll, describe } from "vitest";
import { flow } from "./contexts/flow.ts";
import { links } from "./contexts/links.ts";
import { partial } from "./contexts/partial.ts";
import { ranges } from "./contexts/ranges.ts";
import { retention } from "./contexts/retention.ts";
import { serving } from "./contexts/serving.ts";
import { storing } from "./contexts/storing.ts";
import type { Place } from "./places/place.ts";

/** Registers tests on a place; it is made before they run. */
export type Context = (place: () => Place) => void;

const CONTEXTS: Record<string, Context> = { storing, partial, ranges, links, serving, retention, flow };

/** What every object store must do, wherever it keeps its bytes. */
export function objectsSuite(name: string, make: () => Promise<Place>): void {
  describe.each(Object.entries(CONTEXTS))(`${name}: %s`, (_, context) => {
    let place: Place;
    beforeAll(async () => {
      place = await make();
    });
    afterAll(() => place?.drop());
    context(() => place);
  });
}
