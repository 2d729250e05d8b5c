import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface TabsProps {
  of: Record<string, { title: string; body: ComponentChildren }>;
  open: string | undefined;
  onOpen: (name: string) => void;
}

/** Tabs that arrow keys walk through; which one is open is for the caller to keep, in the address. */
export function Tabs({ of, open, onOpen }: TabsProps) {
  const id = useId();
  const names = Object.keys(of);
  const chosen = open !== undefined && open in of ? open : (names[0] as string);
  const walk = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length] as string;
    onOpen(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" onKeyDown={walk}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onOpen(name)}
          >
            {of[name]?.title}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {of[chosen]?.body}
      </div>
    </div>
  );
}
