import { session } from "../state/session.ts";
import { zone, zoneName } from "../state/zone.ts";
import { Icon } from "../ui/icons.tsx";
import { Sessions, Who } from "./sessions.tsx";

/** The key that opens the palette, as the machine calls it. */
const PALETTE_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";

/** What holds on every screen: search, the zone of times, who is signed in. */
export const TopBar = ({ onFind, onKeys }: { onFind: () => void; onKeys: () => void }) => (
  <header class="top">
    <button type="button" class="open-palette" onClick={onFind}>
      <Icon name="search" />
      <span class="text">Search or go to …</span>
      <kbd>{PALETTE_KEY}</kbd>
    </button>
    <button
      type="button"
      class="bare zone"
      title="Times are shown in UTC or in your own zone. Caps, days and weeks are always counted in UTC."
      onClick={() => {
        zone.value = zone.value === "utc" ? "local" : "utc";
      }}
    >
      <span class="hidden">Times in </span>
      {zoneName()}
    </button>
    <Who />
    <Sessions key={session.value?.accountId} onKeys={onKeys} />
  </header>
);
