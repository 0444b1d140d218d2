import { claudeCode } from "./claude-code/host.ts";
import type { Host } from "./host.ts";

/** Every agent the product knows, by the name in its commands. */
export const HOSTS: Record<string, Host> = { [claudeCode.name]: claudeCode };
