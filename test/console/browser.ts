import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RunOptions } from "axe-core";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";

/** Without its windows, Chromium draws the same pages in four fifths of the time. */
const PLACES = ["chromium-headless-shell", "chromium", "chromium-browser"].map((name) => `/usr/bin/${name}`);
const executablePath = [process.env.CHROMIUM ?? "", ...PLACES].find(
  (place) => place !== "" && existsSync(place),
);

/** Why there is no browser to test with, where there is none. */
export const missing =
  executablePath === undefined ? "Chromium is not installed (CHROMIUM names one)" : undefined;

/** The name of a host that browsers take for another machine. */
export const FAR = "gateway.test";

/**
 * Every window of Chromium has a page of its own for its address bar, which takes longer to start than one of ours; no
 * window is seen. Only the last list of features counts: the others are those of Playwright's that pages notice.
 */
const ARGS = [
  "--no-sandbox",
  // Handing what is drawn to another process takes a tenth of all the time.
  "--in-process-gpu",
  // A host that is not the machine itself, as far as browsers know.
  `--host-resolver-rules=MAP ${FAR} 127.0.0.1`,
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,PaintHolding",
];

let started: Promise<Browser> | undefined;

/** Opens pages for one file of tests. */
export interface Pages {
  newContext: Browser["newContext"];
  /** Closes all that it has opened. */
  close(): Promise<void>;
}

/** The files of a worker share one browser, which ends with it: a start takes seconds. */
export async function launch(): Promise<Pages> {
  if (!(await started)?.isConnected()) {
    started = chromium.launch({ ...(executablePath && { executablePath }), args: ARGS });
  }
  const browser = await started!;
  const opened = new Set<BrowserContext>();
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      opened.add(context);
      return context;
    },
    async close() {
      await Promise.all([...opened].map((context) => context.close()));
    },
  };
}

/** The ways in which every screen is looked at. */
export const VIEWS: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  tablet: { viewport: { width: 1024, height: 768 }, colorScheme: "light" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true, isMobile: true },
  narrow: { viewport: { width: 320, height: 640 }, colorScheme: "light", hasTouch: true, isMobile: true },
};

/** A page, and all that a good page never does: errors, refusals by the policy, requests to other origins. */
export interface Watched {
  page: Page;
  faults: string[];
  close(): Promise<void>;
}

export async function openPage(
  browser: Pages,
  origin: string,
  options: BrowserContextOptions,
): Promise<Watched> {
  const context = await browser.newContext({ ...options, baseURL: origin });
  const page = await context.newPage();
  // A machine under load takes its time.
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(`error: ${message}`));
  page.on("console", (line) => {
    // Chromium reports an answer of 401 here, which is how the page learns that nobody is signed in.
    if (line.type() === "error" && !/status of 401/.test(line.text()))
      faults.push(`console: ${line.text()} ${line.location().url}`);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:" && url.protocol !== "blob:")
      faults.push(`request to ${url.origin}`);
  });
  await page.addInitScript(() => {
    const moved = globalThis as unknown as { layoutShift: number };
    moved.layoutShift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        moved.layoutShift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return { page, faults, close: () => context.close() };
}

export async function signIn(page: Page, account: string, password: string): Promise<void> {
  await page.goto("/console");
  await page.getByLabel("Account").fill(account);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/**
 * Loads a screen in the page that the tests of a file share, with its session: a page and a sign-in for each test take
 * most of its time. What the page has kept in memory goes, and so do the faults of the test before.
 */
export async function reopen(watched: Watched, path = "/console"): Promise<Watched> {
  watched.faults.length = 0;
  await watched.page.goto(path);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return watched;
}

export async function signInOperator(page: Page, key: string): Promise<void> {
  await page.goto("/console");
  await page.getByText("I am the operator").click();
  await page.getByLabel("Operator key").fill(key);
  await page.getByRole("button", { name: "Sign in as operator" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/** Chooses an option of one of the console's own choices, by its text, as the keyboard does. */
export async function choose(root: Page | Locator, label: string, option: string): Promise<void> {
  await root.getByRole("button", { name: label }).press("Enter");
  const list = root.getByRole("listbox", { name: label });
  await list.getByRole("option", { name: option, exact: true }).click();
  await list.waitFor({ state: "detached" });
}

/** Runs a command of a menu, by the keyboard alone. */
export async function command(page: Page, menu: string | RegExp, item: string): Promise<void> {
  await page.getByRole("button", { name: menu }).press("Enter");
  await page.getByRole("menuitem", { name: item, exact: true }).press("Enter");
}

/**
 * Goes to a screen as a link of the page does. The document stays, and the scripts in it: a load takes several times
 * as long, and axe runs slowly in a new document until it is compiled.
 */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(async (href) => {
    (globalThis as unknown as { layoutShift: number }).layoutShift = 0;
    const link = Object.assign(document.createElement("a"), { href });
    document.body.append(link);
    link.click();
    link.remove();
    // A screen that is there already, and only gets other parameters, is drawn anew before the second frame.
    for (let frames = 0; frames < 2; frames++)
      await new Promise((drawn) => {
        requestAnimationFrame(drawn);
      });
  }, path);

/** Waits until no part of the page says that it is loading: a screen may load several parts at one time. */
export const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector(".loading") === null);

/** How far what was shown has moved since the screen was opened, as browsers measure it: 0.1 and more is felt. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { layoutShift: number }).layoutShift);

/**
 * What the page cuts off without a hint: it must not be wider than its window, a text that is cut has all of it as its
 * title, and a table that goes on marks its edge.
 */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // The window of a phone zooms out from what is too wide, and so is as wide itself.
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth} px`] : [];
    const cut = [...document.querySelectorAll<HTMLElement>("main *, nav *, header *")].filter((one) => {
      if (one.clientWidth < 2 || one.scrollWidth <= one.clientWidth + 1) return false;
      if (getComputedStyle(one).overflowX === "visible" || one.closest(".hidden, svg, thead")) return false;
      return (
        !one.matches("input, textarea, pre, .json, .more-after, .more-before") && !one.closest("[title]")
      );
    });
    // Cards without fields have all of their width on the page, and a moment stands in one line.
    const cards = [...document.querySelectorAll(".table")].filter(
      (table) =>
        table.scrollWidth > table.clientWidth + 1 &&
        !table.querySelector("input") &&
        getComputedStyle(table.querySelector("thead")!).position === "absolute",
    );
    const endOf = (one: Element): number => one.getBoundingClientRect().right;
    const broken = [...document.querySelectorAll("main td time")].filter(
      (time) =>
        time.getClientRects().length > 1 ||
        time.clientHeight > 30 ||
        endOf(time) > endOf(time.closest("td")!) + 1,
    );
    return [...wide, ...[...cut, ...cards, ...broken].map((one) => one.outerHTML.slice(0, 120))].map(
      (where) => `cut off: ${where}`,
    );
  });

/** Moments under a head that does not say in what zone they are. */
const withoutZone = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("main td > time, main dd > time")].flatMap((time) => {
      const head =
        time.closest("td")?.dataset.label ?? time.closest("dl > div")?.querySelector("dt")?.textContent;
      // How long ago something was is the same in every zone.
      return head?.endsWith(")") || time.textContent.endsWith(" ago") ? [] : [`no zone: ${head}`];
    }),
  );

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of axe whose result depends on colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Of the element of this selector alone, where other tests look at the rest: a long list takes a second. */
type Rules = RunOptions & { within?: string };

/** What is wrong with the page for people who use a keyboard or a screen reader: rule and element. */
export async function barriers(page: Page, asked: Rules = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async ({ within = "html", ...options }) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    // What fades in has no contrast yet.
    const moving = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations === 1);
    await Promise.allSettled(moving.map(({ finished }) => finished));
    // Describing all that passes takes longer than finding what does not.
    const rules = { "target-size": { enabled: true }, ...options.rules };
    const { violations } = await axe.run(within, { ...options, rules, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, asked);
}

/**
 * The rules that can find in a view what they do not find in the light one. Dark changes colours and nothing else. The
 * phone changes which elements are shown, and where, but takes their colours from the light view. In the widths between
 * and below only what is cut off differs.
 */
const RULES: Record<string, RunOptions> = {
  light: {},
  dark: { runOnly: OF_COLOURS },
  phone: { rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])) },
};
const inAll = process.env.CONSOLE_VIEWS === "all";
/** The views in which a page may cut off what it does not cut off in the others: a phone's is between two of them. */
const OF_WIDTHS = ["light", "tablet", "narrow"];

/**
 * The barriers of an open page in every view, each with the name of its view, and what is cut off there; the page is
 * left in the first one. Only styles depend on the view, so the page need not be loaded anew. Of a page whose
 * components another one shows in every view, the rules are run in the light one alone, and what is cut off is looked
 * for in three widths, unless `CONSOLE_VIEWS=all`.
 */
export async function barriersInViews(page: Page, { isLike = false } = {}): Promise<string[]> {
  const found: string[] = [];
  const devtools = await page.context().newCDPSession(page);
  const show = async ({ colorScheme, viewport, isMobile: mobile = false }: BrowserContextOptions) => {
    const { width, height } = viewport!;
    await page.emulateMedia({ colorScheme: colorScheme ?? null });
    await devtools.send("Emulation.setTouchEmulationEnabled", { enabled: mobile });
    const metrics = { width, height, deviceScaleFactor: 1, mobile };
    await devtools.send("Emulation.setDeviceMetricsOverride", metrics);
    await page.waitForFunction((query) => matchMedia(query).matches, `(width: ${width}px)`);
    // Charts and edges of tables follow with the next frame.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  };
  for (const [name, view] of Object.entries(VIEWS)) {
    if (isLike && !inAll && !OF_WIDTHS.includes(name)) continue;
    await show(view);
    const rules = inAll ? (RULES[name] ?? {}) : isLike && name !== "light" ? undefined : RULES[name];
    const barred = rules ? await barriers(page, rules) : [];
    const unzoned = name === "light" ? await withoutZone(page) : [];
    for (const barrier of [...barred, ...unzoned, ...(name === "dark" ? [] : await cutOff(page))])
      found.push(`${name}: ${barrier}`);
    if (process.env.PICTURES) {
      const { pathname, search } = new URL(page.url());
      const file = `${name}${(pathname + search).replaceAll(/\W+/g, "-")}.png`;
      await page.screenshot({ path: `${process.env.PICTURES}/${file}` });
    }
  }
  await show(VIEWS.light!);
  await devtools.detach();
  return found;
}
