import { moment } from "../format.ts";
import { stored } from "./stored.ts";

/** In what time moments are shown. Caps, days and weeks are counted in UTC, so that is the usual one. */
export type Zone = "utc" | "local";

export const zone = stored<Zone>("manifold-zone", (value) => (value === "local" ? "local" : "utc"));

const names = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" });

/** What the zone is called now: `UTC`, `GMT+2`. */
export const zoneName = (): string =>
  zone.value === "utc"
    ? "UTC"
    : (names.formatToParts().find(({ type }) => type === "timeZoneName")?.value ?? "local");

/** The name of a moment, with its zone: `Time (UTC)`. */
export const inZone = (name: string): string => `${name} (${zoneName()})`;

/** A moment in the chosen zone, to the second. */
export const shownMoment = (iso: string): string => moment(iso, zone.value === "local");
