import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import type { IconName } from "./ui/icons.tsx";

/** The people who see a screen: all who are signed in, those with an account, or operators. */
export type Audience = "all" | "account" | "operator";

/** The groups of the navigation, from what is looked at to what is run. */
export const GROUPS = ["", "Try", "Use", "Account", "Know", "Run"] as const;

export interface Screen {
  path: string;
  component: ComponentType;
  /** Screens with a name stand in the navigation, in this order. */
  name?: string;
  group?: (typeof GROUPS)[number];
  icon?: IconName;
  for: Audience;
  /** `g` and then this key goes to it. */
  key?: string;
}

/** Every screen of the console: the router, the navigation and the keys are made of this list. */
export const screens: readonly Screen[] = [
  {
    path: "/console",
    name: "Home",
    group: "",
    icon: "home",
    for: "all",
    key: "h",
    component: lazy(() => import("./screens/home.tsx")),
  },
  {
    path: "/console/play",
    name: "Playground",
    group: "Try",
    icon: "play",
    for: "account",
    key: "p",
    component: lazy(() => import("./screens/play.tsx")),
  },
  {
    path: "/console/media",
    name: "Media",
    group: "Try",
    icon: "media",
    for: "account",
    key: "m",
    component: lazy(() => import("./screens/media.tsx")),
  },
  {
    path: "/console/explain",
    name: "Explain",
    group: "Try",
    icon: "explain",
    for: "account",
    key: "e",
    component: lazy(() => import("./screens/explain.tsx")),
  },
  {
    path: "/console/requests",
    name: "Requests",
    group: "Use",
    icon: "requests",
    for: "all",
    key: "r",
    component: lazy(() => import("./screens/requests.tsx")),
  },
  {
    path: "/console/requests/:id",
    for: "all",
    component: lazy(() => import("./screens/request.tsx")),
  },
  {
    path: "/console/jobs",
    name: "Jobs",
    group: "Use",
    icon: "jobs",
    for: "all",
    key: "j",
    component: lazy(() => import("./screens/jobs.tsx")),
  },
  {
    path: "/console/jobs/:id",
    for: "all",
    component: lazy(() => import("./screens/job.tsx")),
  },
  {
    path: "/console/batches",
    name: "Batches",
    group: "Use",
    icon: "batches",
    for: "all",
    component: lazy(() => import("./screens/batches.tsx")),
  },
  {
    path: "/console/batches/:id",
    for: "all",
    component: lazy(() => import("./screens/batch.tsx")),
  },
  {
    path: "/console/assets",
    name: "Assets",
    group: "Use",
    icon: "assets",
    for: "account",
    component: lazy(() => import("./screens/assets.tsx")),
  },
  {
    path: "/console/usage",
    name: "Usage",
    group: "Use",
    icon: "usage",
    for: "account",
    key: "u",
    component: lazy(() => import("./screens/usage.tsx")),
  },
  {
    path: "/console/keys",
    name: "Keys",
    group: "Account",
    icon: "keys",
    for: "account",
    key: "k",
    component: lazy(() => import("./screens/keys.tsx")),
  },
  {
    path: "/console/keys/:id",
    for: "all",
    component: lazy(() => import("./screens/key.tsx")),
  },
  {
    path: "/console/balance",
    name: "Balance",
    group: "Account",
    icon: "balance",
    for: "account",
    key: "b",
    component: lazy(() => import("./screens/balance.tsx")),
  },
  {
    path: "/console/models",
    name: "Models",
    group: "Know",
    icon: "models",
    for: "account",
    component: lazy(() => import("./screens/models.tsx")),
  },
  {
    path: "/console/model",
    for: "account",
    component: lazy(() => import("./screens/model.tsx")),
  },
  {
    path: "/console/voices",
    name: "Voices",
    group: "Know",
    icon: "voices",
    for: "account",
    key: "v",
    component: lazy(() => import("./screens/voices.tsx")),
  },
  {
    path: "/console/api",
    name: "API",
    group: "Know",
    icon: "api",
    for: "all",
    component: lazy(() => import("./screens/api.tsx")),
  },
  {
    path: "/console/live",
    name: "Live",
    group: "Run",
    icon: "live",
    for: "all",
    key: "l",
    component: lazy(() => import("./screens/live.tsx")),
  },
  {
    path: "/console/all-usage",
    name: "All usage",
    group: "Run",
    icon: "usage",
    for: "operator",
    key: "t",
    component: lazy(() => import("./screens/all-usage.tsx")),
  },
  {
    path: "/console/catalog",
    name: "Catalog",
    group: "Run",
    icon: "catalog",
    for: "operator",
    key: "c",
    component: lazy(() => import("./screens/catalog.tsx")),
  },
  {
    path: "/console/catalog/add",
    for: "operator",
    component: lazy(() => import("./screens/add-provider.tsx")),
  },
  {
    path: "/console/providers",
    name: "Providers",
    group: "Run",
    icon: "providers",
    for: "operator",
    component: lazy(() => import("./screens/providers.tsx")),
  },
  {
    path: "/console/providers/:id",
    for: "operator",
    component: lazy(() => import("./screens/provider.tsx")),
  },
  {
    path: "/console/routing",
    name: "Routing",
    group: "Run",
    icon: "routing",
    for: "operator",
    component: lazy(() => import("./screens/routing.tsx")),
  },
  {
    path: "/console/accounts",
    name: "Accounts",
    group: "Run",
    icon: "accounts",
    for: "operator",
    key: "a",
    component: lazy(() => import("./screens/accounts.tsx")),
  },
  {
    path: "/console/accounts/:id",
    for: "operator",
    component: lazy(() => import("./screens/account.tsx")),
  },
  {
    path: "/console/books",
    name: "Books",
    group: "Run",
    icon: "books",
    for: "operator",
    component: lazy(() => import("./screens/books.tsx")),
  },
  {
    path: "/console/config",
    name: "Configuration",
    group: "Run",
    icon: "config",
    for: "operator",
    component: lazy(() => import("./screens/config.tsx")),
  },
  {
    path: "/console/audit",
    name: "Audit log",
    group: "Run",
    icon: "audit",
    for: "operator",
    component: lazy(() => import("./screens/audit.tsx")),
  },
];

export const isFor = ({ for: audience }: Screen, who: { account: boolean; operator: boolean }): boolean =>
  audience === "all" || who[audience];

/** The screens that a phone shows first, as far as they are for who is signed in: four at most. */
const FREQUENT = ["", "/requests", "/play", "/keys", "/providers", "/accounts"].map(
  (path) => `/console${path}`,
);

export const frequent = (shown: readonly Screen[]): Screen[] =>
  FREQUENT.flatMap((path) => shown.filter((screen) => screen.path === path)).slice(0, 4);
