import type { Store } from "@manifold-gateway/store";
import type { StoreSettings } from "../../../packages/store/src/store.ts";

/** An empty database of one dialect, for one context. */
export interface Database {
  /** `sqlite` or `postgres`, and where it is: what another process needs to open it. */
  readonly dialect: "sqlite" | "postgres";
  readonly location: string;
  /** A store as of one more process. */
  open(settings?: StoreSettings): Promise<Store>;
  /** Statements of no store: for breaking things. */
  execute(text: string): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}
