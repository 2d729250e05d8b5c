import { HOUR } from "../engine/durations.ts";
import type { LatencyPart } from "./latency-rows.ts";
import { Parts } from "./parts.ts";
import { addLatency, newSketch } from "./sketch.ts";
import type { Entry } from "./sums.ts";

export type Tag = NonNullable<LatencyPart["tag"]>;

/** The latencies that this process has counted, of all requests or of those with a tag. */
export class LatencyParts extends Parts<LatencyPart> {
  /** Adds an end, with the time to its first token; false if there is no room for it. */
  add(end: Entry, first: number | undefined, nextName: () => string, tag?: Tag): boolean {
    const { account, key, model, modality, status, surface, entry, at, duration } = end;
    const hour = at - (at % HOUR);
    const base = `${account}\n${hour}\n${key}\n${model}\n${modality}\n${status}\n${surface}\n${entry}`;
    const part = this.touch(
      tag ? `${base}\n${tag.name}\n${tag.value}` : base,
      () => ({
        ...{ account, hour, key_id: key ?? "", model, modality, status },
        ...{ surface: surface ?? "", entry: entry ?? "", durations: newSketch(), firsts: newSketch() },
        ...(tag && { tag }),
      }),
      nextName,
    );
    if (!part) return false;
    if (duration !== null) addLatency(part.durations, duration);
    if (first !== undefined) addLatency(part.firsts, first);
    return true;
  }

  /** Adds an end to each of its tags. */
  addTags(end: Entry, first: number | undefined, nextName: () => string): boolean {
    let isAdded = true;
    for (const [name, value] of Object.entries(JSON.parse(end.tags ?? "{}") as Record<string, string>))
      isAdded = this.add(end, first, nextName, { name, value }) && isAdded;
    return isAdded;
  }
}
