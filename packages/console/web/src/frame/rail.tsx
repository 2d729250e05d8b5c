import { useLocation } from "preact-iso";
import { GROUPS, type Screen } from "../screens.ts";
import { isFolded } from "../state/folded.ts";
import { Icon } from "../ui/icons.tsx";
import { Logo } from "../ui/logo.tsx";

const isHere = (path: string, here: string): boolean =>
  path === "/console" ? here === path || here === "/console/" : here === path || here.startsWith(`${path}/`);

/** A link to a screen: its icon and its name, which a folded rail shows on hover. */
export function ScreenLink({ of: { path, name, icon } }: { of: Screen }) {
  const { path: here } = useLocation();
  return (
    <a href={path} title={name} aria-current={isHere(path, here) ? "page" : undefined}>
      {icon && <Icon name={icon} />}
      <span class="text">{name}</span>
    </a>
  );
}

/** All screens of who is signed in, in groups. */
export function Rail({ screens, isOpen }: { screens: readonly Screen[]; isOpen: boolean }) {
  const fold = isFolded.value ? "Unfold the navigation" : "Fold the navigation";
  return (
    <nav id="rail" aria-label="Screens" class={isOpen ? "rail open" : "rail"}>
      <div>
        <a class="brand" href="/console" title="Manifold">
          <Logo />
          <span class="text">Manifold</span>
        </a>
        {GROUPS.map((group) => {
          const inGroup = screens.filter((screen) => screen.group === group);
          if (inGroup.length === 0) return null;
          return (
            <section key={group} aria-label={group || "Home"}>
              {group && <h2 class="text">{group}</h2>}
              <ul>
                {inGroup.map((screen) => (
                  <li key={screen.path}>
                    <ScreenLink of={screen} />
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
        <button
          type="button"
          class="quiet fold"
          aria-label={fold}
          title={fold}
          onClick={() => {
            isFolded.value = !isFolded.value;
          }}
        >
          <Icon name={isFolded.value ? "right" : "left"} />
        </button>
      </div>
    </nav>
  );
}
