import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";
import { Popup } from "./popup.tsx";

/** What can be done, or where it leads. */
export interface MenuItem {
  text: string;
  icon?: IconName;
  href?: string;
  /** What it leads to is saved as a file. */
  isFile?: boolean;
  onClick?: () => void;
  isDanger?: boolean;
  /** One of several states, of which one is on. */
  isOn?: boolean;
  /** A line above it, with the name of what follows if there is one. */
  begins?: string;
}

interface MenuProps {
  /** What it is the menu of, for screen readers. */
  label: string;
  items: readonly (MenuItem | false | undefined)[];
  /** What its button shows; three dots by default. */
  children?: ComponentChildren;
}

/** A button that opens what else can be done: arrow keys walk, letters find. */
export function Menu({ label, items, children }: MenuProps) {
  const anchor = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  const close = (): void => {
    isOpen.value = false;
  };
  const shown = items.filter((item) => item !== false && item !== undefined);
  const walk = (event: KeyboardEvent): void => {
    const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>("[role^=menuitem]")];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) all[(next + all.length) % all.length]?.focus();
    else if (event.key.length === 1 && event.key !== " ") {
      const letter = event.key.toLowerCase();
      const order = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      order.find(({ textContent }) => textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class={children === undefined ? "bare" : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-label={label}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {children ?? <Icon name="more" />}
      </button>
      {isOpen.value && (
        <Popup anchor={anchor} align="end" onClose={close}>
          <div role="menu" aria-label={label} onKeyDown={walk} tabIndex={-1}>
            {shown.map((item, at) => (
              <Item key={item.text} of={item} isFirst={at === 0} close={close} anchor={anchor.current} />
            ))}
          </div>
        </Popup>
      )}
    </>
  );
}

interface ItemProps {
  of: MenuItem;
  isFirst: boolean;
  close: () => void;
  anchor: HTMLElement | null;
}

function Item({ of: item, isFirst, close, anchor }: ItemProps) {
  const { text, icon, href, isFile = false, onClick, isDanger = false, isOn, begins } = item;
  const shared = {
    tabIndex: -1,
    ...(isFirst && { "data-focus": true }),
    ...(isDanger && { class: "bad" }),
    onClick: () => {
      anchor?.focus();
      close();
      onClick?.();
    },
  };
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      {text}
    </>
  );
  return (
    <>
      {begins !== undefined && !isFirst && <hr />}
      {begins && <p class="of">{begins}</p>}
      {href !== undefined ? (
        <a {...shared} role="menuitem" href={href} download={isFile}>
          {inside}
        </a>
      ) : isOn === undefined ? (
        <button type="button" {...shared} role="menuitem">
          {inside}
        </button>
      ) : (
        <button type="button" {...shared} role="menuitemradio" aria-checked={isOn}>
          {inside}
          <Icon name="check" />
        </button>
      )}
    </>
  );
}
