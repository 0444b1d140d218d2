/**
 * Whose home this is, and where temporary files go, by the environment. Loading `node:os` costs a hook half a
 * millisecond, so it is only asked where the environment says nothing.
 */
import { join } from "node:path";

type Env = Record<string, string | undefined>;

export function homeOf(env: Env): string {
  return env.HOME || env.USERPROFILE || process.getBuiltinModule("node:os").homedir();
}

export function tempDirOf(env: Env): string {
  return (
    env.TMPDIR || env.TEMP || env.TMP || (process.platform === "win32" ? join(homeOf(env), "Temp") : "/tmp")
  );
}
