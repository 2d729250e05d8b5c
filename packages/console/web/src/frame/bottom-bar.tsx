import type { Screen } from "../screens.ts";
import { Icon } from "../ui/icons.tsx";
import { ScreenLink } from "./rail.tsx";

interface BottomBarProps {
  screens: readonly Screen[];
  isOpen: boolean;
  onMore: () => void;
}

/** On a phone: the screens that are opened most, and a way to all others. */
export const BottomBar = ({ screens, isOpen, onMore }: BottomBarProps) => (
  <nav class="bottom-bar" aria-label="Main screens">
    {screens.map((screen) => (
      <ScreenLink key={screen.path} of={screen} />
    ))}
    <button type="button" aria-expanded={isOpen} aria-controls="rail" onClick={onMore}>
      <Icon name="more" />
      <span class="text">More</span>
    </button>
  </nav>
);
