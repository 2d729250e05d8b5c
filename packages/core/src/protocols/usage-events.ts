import type { Event, Reported } from "../ir/index.ts";

/** Makes the events of reports. One that says what the last one said makes none: servers repeat their counts. */
export function usageEvents(): (reported: Reported | undefined) => Event[] {
  let last: string | undefined;
  return (reported) => {
    const counts = JSON.stringify(reported?.usage);
    if (!reported || counts === last) return [];
    last = counts;
    return [{ type: "usage", ...reported }];
  };
}
