import type { Setting } from "@manifold-gateway/gateway";
import { settingsOf } from "./current-settings.ts";
import { loadWithSource, type Settings } from "./load.ts";
import type { Origins } from "./origins.ts";
import { reloaded } from "./reload.ts";
import type { Config } from "./schema.ts";
import type { Environment } from "./variables.ts";

/**
 * The configuration of a running process: what is in force, and what was read last. They differ in settings that wait
 * for the next start.
 */
export class CurrentConfig {
  readonly #started: Settings;
  #last: Settings;
  #inForce: Config;
  #origins: Origins;

  constructor(started: Settings) {
    this.#started = started;
    this.#last = started;
    this.#inForce = started.config;
    this.#origins = started.source?.origins ?? {};
  }

  /** What the process serves: the sections that a reload applies as they were read last, the others as at its start. */
  get inForce(): Config {
    return this.#inForce;
  }

  get env(): Environment {
    return this.#last.env;
  }

  /** The settings as they were read last. */
  get last(): Settings {
    return this.#last;
  }

  /** Replaces the settings by those that a reload has read and applied. */
  replace(next: Settings): void {
    this.#last = next;
    this.#inForce = reloaded(this.#started.config, next.config);
    this.#origins = { ...this.#origins, ...next.source?.origins };
  }

  /** The settings that a reload would apply now. Throws a `ConfigError` if the file is invalid. */
  readAgain(): Settings {
    const file = this.#started.source?.file;
    return file === undefined ? { ...this.#last, config: this.#inForce } : loadWithSource(file, this.env);
  }

  /** The settings as operators see them. */
  describe(isOneOfSeveral: boolean): Setting[] {
    return settingsOf(this.#inForce, this.#origins, { next: this.#last.config, isOneOfSeveral });
  }
}
