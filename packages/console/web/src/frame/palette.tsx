import { useSignal } from "@preact/signals";
import { useQuery } from "@tanstack/preact-query";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { findAnywhere, KINDS, pageOf } from "../find.ts";
import type { Screen } from "../screens.ts";
import { shownMoment } from "../state/zone.ts";
import { Icon } from "../ui/icons.tsx";
import { type Command, matchingCommands, otherCommands, screenCommands, viewCommands } from "./commands.ts";

interface PaletteProps {
  screens: readonly Screen[];
  onClose: () => void;
  onKeys: () => void;
}

/** The pause after which what was typed is looked for in the service, in milliseconds. */
const PAUSE_MS = 200;
/** Shorter than this, it is the name of a screen or a command. */
const LEAST = 3;

/** What was typed, once nothing more was for a while. */
function usePaused(text: string): string {
  const settled = useSignal("");
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled.value;
}

/** Everything with an id or a name of one's own, every screen and every command, by what is typed. */
export default function Palette({ screens, onClose, onKeys }: PaletteProps) {
  const { route } = useLocation();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const typed = useSignal("");
  const at = useSignal(0);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => opener?.focus();
  }, []);
  const query = usePaused(typed.value.trim());
  const found = useQuery({
    queryKey: ["find", query],
    queryFn: ({ signal }) => findAnywhere(query, signal),
    enabled: query.length >= LEAST,
  });
  const isCurrent = query === typed.value.trim() && query.length >= LEAST;
  const findings = (isCurrent ? (found.data ?? []) : []).map(
    (one): Command => ({
      text: one.name === undefined ? one.id : `${one.name}, ${one.id}`,
      note: [KINDS[one.kind], one.createdAt && shownMoment(one.createdAt)].filter(Boolean).join(" · "),
      icon: "right",
      act: pageOf(one),
    }),
  );
  const groups: [name: string, commands: Command[]][] = [
    ["Found", findings],
    ["Go to", matchingCommands([...screenCommands(screens), ...viewCommands()], typed.value)],
    ["Do", matchingCommands(otherCommands(onKeys), typed.value)],
  ];
  const all = groups.flatMap(([, commands]) => commands);
  const active = all[Math.min(at.value, all.length - 1)];
  useLayoutEffect(() => {
    dialog.current?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  });
  const run = ({ act }: Command): void => {
    onClose();
    if (typeof act === "string") route(act);
    else act();
  };
  const press = (event: KeyboardEvent): void => {
    const next = { ArrowDown: at.value + 1, ArrowUp: at.value - 1 }[event.key];
    if (next !== undefined) at.value = (next + all.length) % Math.max(1, all.length);
    else if (event.key === "Enter" && active) run(active);
    else return;
    event.preventDefault();
  };
  const idOf = (command: Command): string => `${id}-${all.indexOf(command)}`;
  return (
    <dialog ref={dialog} class="palette" aria-label="Search or go to" onClose={onClose}>
      <div class="options">
        <input
          role="combobox"
          aria-label="Search or go to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={active && idOf(active)}
          autocomplete="off"
          spellcheck={false}
          placeholder="An id, a name, a screen or a command"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={press}
        />
        <div id={`${id}-list`} role="listbox" aria-label="Results" tabIndex={-1}>
          {groups.map(
            ([name, commands]) =>
              commands.length > 0 && (
                // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, not fieldsets
                <div key={name} role="group" aria-label={name}>
                  <p class="of" aria-hidden="true">
                    {name}
                  </p>
                  {commands.map((command) => (
                    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys
                    <div
                      key={idOf(command)}
                      id={idOf(command)}
                      role="option"
                      class={command === active ? "option active" : "option"}
                      aria-selected={command === active}
                      onPointerMove={() => {
                        at.value = all.indexOf(command);
                      }}
                      onClick={() => run(command)}
                    >
                      {command.icon ? <Icon name={command.icon} /> : <span class="icon" />}
                      <span class="text">{command.text}</span>
                      {command.note && <span class="faint">{command.note}</span>}
                    </div>
                  ))}
                </div>
              ),
          )}
        </div>
        <p class="faint" role="status">
          {all.length === 0 &&
            (found.isFetching || !isCurrent ? "Looking …" : "Nothing has this id or name.")}
          {found.isError && (found.error as Error).message}
        </p>
      </div>
    </dialog>
  );
}
