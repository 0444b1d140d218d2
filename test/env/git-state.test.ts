/** What is read from git's own files, beside what git itself says. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { NO_GIT, readGitState } from "../../src/env/git-state.ts";
import { usePlaces } from "../support/temp.ts";

const place = usePlaces();
const hasGit = Bun.which("git") !== null;
if (!hasGit) console.log("Skipped: git is not installed.");

type Repo = { dir: string; git: (...words: string[]) => string; put: (path: string, text: string) => void };

/** A repository with three committed files, changed so long ago that git trusts their times. */
function repoAt(dir: string, ...init: string[]): Repo {
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b.c",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b.c",
  };
  const git = (...words: string[]) => {
    const run = Bun.spawnSync(["git", ...words], { cwd: dir, env, stderr: "pipe" });
    if (run.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${run.stderr}`);
    return run.stdout.toString();
  };
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  mkdirSync(dir, { recursive: true });
  git("init", "-q", "-b", "main", ...init);
  for (const path of FILES) put(path, `first text of ${path}\n`);
  const before = new Date(Date.now() - 60_000);
  for (const path of FILES) utimesSync(join(dir, path), before, before);
  git("add", ...FILES);
  git("commit", "-q", "-m", "First: everything");
  return { dir, git, put };
}

const FILES = ["README.md", "src/a.ts", "src/deep/ünï.ts", "test/a.test.ts"];

describe.skipIf(!hasGit)("the checkout", () => {
  const repo = (...init: string[]) => repoAt(join(place().root, "repo"), ...init);
  const uncommitted = (one: Repo, paths: readonly string[] = FILES) =>
    readGitState(one.dir).uncommitted(paths);

  test("branch and commits, newest first", () => {
    const one = repo();
    one.git("commit", "-q", "--allow-empty", "-m", "Second: nothing");
    one.git("checkout", "-q", "-b", "feat/x-1");
    one.git("commit", "-q", "--allow-empty", "--amend", "-m", "Second: still nothing");
    const { branch, commits } = readGitState(one.dir);
    expect(branch).toBe("feat/x-1");
    expect(commits.map((commit) => commit.subject)).toEqual([
      "Second: still nothing",
      "Second: nothing",
      "First: everything",
    ]);
    expect(Math.abs((commits[0]?.at ?? 0) - Date.now())).toBeLessThan(60_000);
    one.git("checkout", "-q", "--detach");
    expect(readGitState(one.dir).branch).toBeNull();
  });

  for (const version of ["2", "4"]) {
    test(`what differs from the last commit, index version ${version}`, () => {
      const one = repo();
      one.git("update-index", `--index-version=${version}`);
      expect(readFileSync(join(one.dir, ".git", "index")).readUInt32BE(4)).toBe(Number(version));
      expect(uncommitted(one)).toEqual([]);
      one.put("src/deep/ünï.ts", "another text\n");
      expect(uncommitted(one)).toEqual(["src/deep/ünï.ts"]);
      rmSync(join(one.dir, "README.md"));
      one.put("src/new.ts", "new\n");
      const paths = [...FILES, "src/new.ts", "never.ts", "../outside.ts", "/etc/hosts", ""];
      expect(uncommitted(one, paths)).toEqual(["README.md", "src/deep/ünï.ts", "src/new.ts"]);
      one.git("add", "-A");
      expect(uncommitted(one, ["src/deep/ünï.ts", "test/a.test.ts"]).includes("test/a.test.ts")).toBe(false);
    });
  }

  test("what is staged, until it is committed", () => {
    const one = repo();
    const later = new Date(Date.now() + 5_000);
    one.put("src/a.ts", "second text, longer than the first one\n");
    utimesSync(join(one.dir, "src/a.ts"), later, later);
    one.git("add", "src/a.ts");
    expect(uncommitted(one)).toEqual(["src/a.ts"]);
    one.git("commit", "-q", "-m", "Second");
    one.git("status");
    expect(uncommitted(one)).toEqual([]);
  });

  test("intended to be added, ignored, not to be looked at", () => {
    const one = repo();
    one.put(".gitignore", "# what is built\n/dist/\n*.log\n");
    for (const path of ["dist/a.js", "src/b.log", "src/later.ts"]) one.put(path, "x\n");
    one.git("add", "-N", "src/later.ts");
    one.git("update-index", "--assume-unchanged", "src/a.ts");
    one.put("src/a.ts", "not to be seen\n");
    expect(uncommitted(one, ["dist/a.js", "src/b.log", "src/later.ts", "src/a.ts"])).toEqual([
      "src/later.ts",
    ]);
  });

  test("a linked worktree has its own branch and files", () => {
    const one = repo();
    const dir = join(one.dir, "..", "beside");
    one.git("worktree", "add", "-q", "-b", "side", dir);
    writeFileSync(join(dir, "src", "a.ts"), "changed only here\n");
    expect(readGitState(dir).branch).toBe("side");
    expect(readGitState(dir).uncommitted(FILES)).toEqual(["src/a.ts"]);
    expect(uncommitted(one)).toEqual([]);
  });

  test("a repository of the longer hashes", () => {
    const one = repo("--object-format=sha256");
    one.put("test/a.test.ts", "another text\n");
    expect(uncommitted(one)).toEqual(["test/a.test.ts"]);
    expect(readGitState(one.dir).commits).toHaveLength(1);
  });

  test("an index that keeps its entries elsewhere tells nothing", () => {
    const one = repo();
    one.git("update-index", "--split-index");
    one.put("src/a.ts", "another text\n");
    one.git("status");
    expect(uncommitted(one)).toEqual([]);
  });
});

describe("what is broken", () => {
  test("no repository, a pointer to nowhere", () => {
    const { root, project } = place();
    expect(readGitState(join(root, "nowhere"))).toBe(NO_GIT);
    const dir = join(root, "lost");
    mkdirSync(dir);
    writeFileSync(join(dir, ".git"), "gitdir: ../gone/.git/worktrees/lost\n");
    for (const broken of [dir, project]) {
      const state = readGitState(broken);
      expect([state.branch, state.commits, state.uncommitted(["a.ts"])]).toEqual([null, [], []]);
    }
  });

  test.skipIf(!hasGit)("an index cut at any byte, or of another kind, never throws", () => {
    const one = repoAt(join(place().root, "repo"));
    const file = join(one.dir, ".git", "index");
    const whole = readFileSync(file);
    for (let length = 0; length < whole.length; length += 7) {
      writeFileSync(file, whole.subarray(0, length));
      expect(Array.isArray(readGitState(one.dir).uncommitted(FILES))).toBe(true);
    }
    for (const first of [
      "DIRC\0\0\0\u0009\0\0\0\u0001",
      "not an index",
      "DIRC\0\0\0\u0004\u007f\u007f\u007f\u007f",
    ]) {
      writeFileSync(file, Buffer.concat([Buffer.from(first), whole.subarray(12)]));
      expect(readGitState(one.dir).uncommitted(["never.ts"])).toEqual([]);
    }
    rmSync(join(one.dir, ".git", "logs"), { recursive: true });
    writeFileSync(join(one.dir, ".git", "HEAD"), Buffer.from([0xff, 0xfe, 0]));
    expect(readGitState(one.dir)).toMatchObject({ branch: null, commits: [] });
    expect(existsSync(file)).toBe(true);
  });
});
