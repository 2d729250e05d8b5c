import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ErrorBoundary, lazy, useLocation } from "preact-iso";
import { frequent, isFor, screens } from "../screens.ts";
import { isFolded } from "../state/folded.ts";
import { note } from "../state/note.ts";
import { isOnline } from "../state/online.ts";
import { operator, session } from "../state/session.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { KeyHelp } from "./key-help.tsx";
import { useKeys } from "./keys.ts";
import { Rail } from "./rail.tsx";
import { TopBar } from "./top-bar.tsx";

/** It is loaded once the first screen is there. */
const Palette = lazy(() => import("./palette.tsx"));

const PRELOAD_MS = 1_500;

/** What stands around every screen. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { path: here, route } = useLocation();
  const over = useSignal<"keys" | "palette" | undefined>(undefined);
  const showsAll = useSignal(false);
  const who = { account: session.value !== null, operator: operator.value !== null };
  const named = screens.filter((screen) => screen.name !== undefined && isFor(screen, who));
  const open = (view: "keys" | "palette") => (): void => {
    over.value = view;
  };
  const close = (): void => {
    over.value = undefined;
  };
  useKeys(named, { go: route, help: open("keys"), find: open("palette") });
  // What is typed right after the key must not get lost while it is loaded.
  useEffect(() => {
    const timer = setTimeout(() => void Palette.preload(), PRELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    showsAll.value = false;
  }, [here, showsAll]);
  return (
    <div class={isFolded.value ? "frame folded-rail" : "frame"}>
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <Rail screens={named} isOpen={showsAll.value} />
      <div class="page">
        <TopBar onFind={open("palette")} onKeys={open("keys")} />
        {!isOnline.value && (
          <p class="offline" role="status">
            There is no connection. The data shown may be out of date; nothing you typed is lost.
          </p>
        )}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      <BottomBar
        screens={frequent(named)}
        isOpen={showsAll.value}
        onMore={() => {
          showsAll.value = !showsAll.value;
        }}
      />
      <p class="note" role="status">
        {note.value}
      </p>
      {over.value === "keys" && <KeyHelp screens={named} onClose={close} />}
      {over.value === "palette" && (
        <ErrorBoundary>
          <Palette screens={named} onClose={close} onKeys={open("keys")} />
        </ErrorBoundary>
      )}
    </div>
  );
}
