import { effect } from "@preact/signals";
import { stored } from "./stored.ts";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

export const theme = stored<Theme>(
  "manifold-theme",
  (value) => THEMES.find((name) => name === value) ?? "system",
);

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
