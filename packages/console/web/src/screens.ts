import type { ComponentType } from "preact";
import { lazy } from "preact-iso";

/** The people who see a screen: all who are signed in, those with an account, or operators. */
export type Audience = "all" | "account" | "operator";

export interface Screen {
  path: string;
  component: ComponentType;
  /** Screens with a name stand in the navigation, in this order. */
  name?: string;
  group?: "" | "Try" | "Use" | "Account" | "Know" | "Run";
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
    for: "all",
    key: "h",
    component: lazy(() => import("./screens/home.tsx")),
  },
  {
    path: "/console/play",
    name: "Playground",
    group: "Try",
    for: "account",
    key: "p",
    component: lazy(() => import("./screens/play.tsx")),
  },
  {
    path: "/console/media",
    name: "Media",
    group: "Try",
    for: "account",
    key: "m",
    component: lazy(() => import("./screens/media.tsx")),
  },
  {
    path: "/console/explain",
    name: "Explain",
    group: "Try",
    for: "account",
    key: "e",
    component: lazy(() => import("./screens/explain.tsx")),
  },
  {
    path: "/console/requests",
    name: "Requests",
    group: "Use",
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
    for: "account",
    key: "j",
    component: lazy(() => import("./screens/jobs.tsx")),
  },
  {
    path: "/console/jobs/:id",
    for: "account",
    component: lazy(() => import("./screens/job.tsx")),
  },
  {
    path: "/console/assets",
    name: "Assets",
    group: "Use",
    for: "account",
    component: lazy(() => import("./screens/assets.tsx")),
  },
  {
    path: "/console/usage",
    name: "Usage",
    group: "Use",
    for: "account",
    key: "u",
    component: lazy(() => import("./screens/usage.tsx")),
  },
  {
    path: "/console/keys",
    name: "Keys",
    group: "Account",
    for: "account",
    key: "k",
    component: lazy(() => import("./screens/keys.tsx")),
  },
  {
    path: "/console/balance",
    name: "Balance",
    group: "Account",
    for: "account",
    key: "b",
    component: lazy(() => import("./screens/balance.tsx")),
  },
  {
    path: "/console/models",
    name: "Models",
    group: "Know",
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
    for: "account",
    key: "v",
    component: lazy(() => import("./screens/voices.tsx")),
  },
  {
    path: "/console/api",
    name: "API",
    group: "Know",
    for: "all",
    component: lazy(() => import("./screens/api.tsx")),
  },
  {
    path: "/console/live",
    name: "Live",
    group: "Run",
    for: "all",
    key: "l",
    component: lazy(() => import("./screens/live.tsx")),
  },
  {
    path: "/console/all-usage",
    name: "All usage",
    group: "Run",
    for: "operator",
    key: "t",
    component: lazy(() => import("./screens/all-usage.tsx")),
  },
  {
    path: "/console/providers",
    name: "Providers",
    group: "Run",
    for: "operator",
    component: lazy(() => import("./screens/providers.tsx")),
  },
  {
    path: "/console/routing",
    name: "Routing",
    group: "Run",
    for: "operator",
    component: lazy(() => import("./screens/routing.tsx")),
  },
  {
    path: "/console/accounts",
    name: "Accounts",
    group: "Run",
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
    for: "operator",
    component: lazy(() => import("./screens/books.tsx")),
  },
  {
    path: "/console/config",
    name: "Configuration",
    group: "Run",
    for: "operator",
    component: lazy(() => import("./screens/config.tsx")),
  },
  {
    path: "/console/audit",
    name: "Audit log",
    group: "Run",
    for: "operator",
    component: lazy(() => import("./screens/audit.tsx")),
  },
];

export const isFor = ({ for: audience }: Screen, who: { account: boolean; operator: boolean }): boolean =>
  audience === "all" || who[audience];
