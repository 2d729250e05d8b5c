import type { Tool } from "../ir/index.ts";
import type { Lose } from "../ir/loss.ts";

/**
 * Finds functions whose name an earlier one has. Some servers refuse a request with two of one name; a call could
 * not say which of them it means.
 */
export function repeatedTools(tools: readonly Tool[], lose: Lose): ReadonlySet<Tool> {
  const names = new Set<string>();
  const repeated = new Set<Tool>();
  tools.forEach((tool, i) => {
    if (tool.type !== "function") return;
    if (names.has(tool.name)) {
      repeated.add(tool);
      lose(`/tools/${i}`, "unsupported", `an earlier tool has the name ${tool.name}`);
    }
    names.add(tool.name);
  });
  return repeated;
}
