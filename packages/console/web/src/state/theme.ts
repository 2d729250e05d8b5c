import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
const KEY = "manifold-theme";

export const theme = signal<Theme>((localStorage.getItem(KEY) as Theme | null) ?? "system");

effect(() => {
  localStorage.setItem(KEY, theme.value);
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});
