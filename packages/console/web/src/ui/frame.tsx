import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { isFor, type Screen, screens } from "../screens.ts";
import { isOnline } from "../state/online.ts";
import { operator, session } from "../state/session.ts";
import { type Theme, theme } from "../state/theme.ts";
import { KeyHelp } from "./key-help.tsx";
import { useKeys } from "./keys.ts";
import { Sessions, Who } from "./sessions.tsx";

const GROUPS = ["", "Try", "Use", "Account", "Know", "Run"] as const;

const isHere = (path: string, here: string): boolean =>
  path === "/console" ? here === path || here === "/console/" : here === path || here.startsWith(`${path}/`);

export function Frame({ children }: { children: ComponentChildren }) {
  const { path: here, route } = useLocation();
  const showsKeys = useSignal(false);
  const showsAll = useSignal(false);
  const who = { account: session.value !== null, operator: operator.value !== null };
  const named = screens.filter((screen) => screen.name !== undefined && isFor(screen, who));
  useKeys(named, route, () => {
    showsKeys.value = true;
  });
  useEffect(() => {
    showsAll.value = false;
  }, [here, showsAll]);
  const link = ({ path, name }: Screen) => (
    <li key={path}>
      <a href={path} aria-current={isHere(path, here) ? "page" : undefined}>
        {name}
      </a>
    </li>
  );
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to main content
      </a>
      <nav aria-label="Screens" class={showsAll.value ? "open" : ""}>
        <a class="brand" href="/console">
          Manifold
        </a>
        {GROUPS.map((group) => {
          const inGroup = named.filter((screen) => screen.group === group);
          if (inGroup.length === 0) return null;
          return (
            <section key={group} aria-label={group || "Home"}>
              {group && <h2>{group}</h2>}
              <ul>{inGroup.map(link)}</ul>
            </section>
          );
        })}
      </nav>
      <div class="page">
        <header class={operator.value === null ? "top" : "top operator"}>
          <button
            type="button"
            class="menu"
            aria-expanded={showsAll.value}
            onClick={() => {
              showsAll.value = !showsAll.value;
            }}
          >
            Menu
          </button>
          <Who />
          <span class="faint">Times in UTC</span>
          <label class="theme">
            <span class="faint" aria-hidden="true">
              Theme{" "}
            </span>
            <select
              aria-label="Theme"
              value={theme.value}
              onChange={(event) => {
                theme.value = event.currentTarget.value as Theme;
              }}
            >
              <option value="system">System</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
          <Sessions />
        </header>
        {!isOnline.value && (
          <p class="offline" role="status">
            There is no connection. The data shown may be out of date; nothing you typed is lost.
          </p>
        )}
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
      {showsKeys.value && (
        <KeyHelp
          screens={named}
          onClose={() => {
            showsKeys.value = false;
          }}
        />
      )}
    </div>
  );
}
