import type { Screen } from "../screens.ts";
import { isFolded } from "../state/folded.ts";
import { operator, session, signOut } from "../state/session.ts";
import { theme } from "../state/theme.ts";
import { addressOfView, views } from "../state/views.ts";
import { zone } from "../state/zone.ts";
import type { IconName } from "../ui/icons.tsx";

/** A line of the palette. */
export interface Command {
  text: string;
  note?: string | undefined;
  icon?: IconName | undefined;
  /** Where it leads, or what it does. */
  act: string | (() => void);
}

/** The screens of who is signed in, with the keys that go there. */
export const screenCommands = (screens: readonly Screen[]): Command[] =>
  screens.map(({ name = "", path, icon, key }) => ({
    text: name,
    act: path,
    icon,
    note: key === undefined ? undefined : `g ${key}`,
  }));

/** The views of requests that the reader has named. */
export const viewCommands = (): Command[] =>
  views.value.map((view) => ({
    text: view.name,
    note: "view of requests",
    icon: "requests",
    act: addressOfView(view),
  }));

/** What can be done from anywhere. */
export const otherCommands = (onKeys: () => void): Command[] => [
  ...(session.value
    ? ([
        { text: "Create a key", act: "/console/keys?new=key", icon: "plus" },
        { text: "Show failed requests of the last 24 hours", act: "/console/requests?status=failed&days=1" },
        { text: "Show the dearest requests of the last 24 hours", act: "/console/requests?sort=cost&days=1" },
      ] satisfies Command[])
    : []),
  ...(operator.value === null
    ? []
    : ([
        { text: "Create an account", act: "/console/accounts?new=account", icon: "plus" },
        { text: "Add a provider", act: "/console/catalog/add", icon: "plus" },
        { text: "Add a model", act: "/console/catalog?new=models", icon: "plus" },
        { text: "Add a webhook", act: "/console/catalog?new=webhooks&tab=webhooks", icon: "plus" },
        { text: "Show changes of the catalog", act: "/console/catalog?tab=changes" },
        { text: "Export the catalog as a file", act: "/console/catalog?export=file", icon: "download" },
      ] satisfies Command[])),
  ...(["light", "dark", "system"] as const).map((name) => ({
    text: name === "system" ? "Theme: as the system" : `Theme: ${name}`,
    act: () => {
      theme.value = name;
    },
  })),
  {
    text: zone.value === "utc" ? "Show times in my own zone" : "Show times in UTC",
    act: () => {
      zone.value = zone.value === "utc" ? "local" : "utc";
    },
  },
  {
    text: isFolded.value ? "Unfold the navigation" : "Fold the navigation",
    act: () => {
      isFolded.value = !isFolded.value;
    },
  },
  { text: "Keyboard shortcuts", note: "?", act: onKeys },
  { text: "Sign out", act: () => void signOut() },
];

/**
 * The commands that have every word of what was typed, those whose name begins with it first.
 */
export function matchingCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = commands.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
  const begins = ({ text }: Command): boolean => text.toLowerCase().startsWith(words[0] ?? "");
  return [...has.filter(begins), ...has.filter((one) => !begins(one))];
}
