import { beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isInside, resolveProject } from "../../src/env/project.ts";
import { type Place, usePlaces } from "../support/temp.ts";

const newPlace = usePlaces();
let place: Place;
let repo: string;
let env: Record<string, string>;

function git(cwd: string, ...words: string[]): void {
  const identity = [
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.test",
    "-c",
    "protocol.file.allow=always",
  ];
  const ran = Bun.spawnSync(["git", ...identity, ...words], {
    cwd,
    env: { PATH: "/usr/bin:/bin", HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
    stderr: "pipe",
  });
  if (ran.exitCode !== 0) throw new Error(`git ${words.join(" ")}: ${ran.stderr}`);
}

const keyOf = (dir: string) => resolveProject(dir, env).project?.key ?? null;

beforeAll(() => {
  place = newPlace("project");
  env = { HOME: place.home };
  repo = join(place.root, "work", "repo");
  mkdirSync(join(repo, "src", "deep"), { recursive: true });
  writeFileSync(join(repo, "src", "deep", "a.ts"), "a\n");
  git(repo, "init", "-q", "-b", "main");
  git(repo, "add", ".");
  git(repo, "commit", "-q", "-m", "first");
});

describe("PJ-01: one key for each layout", () => {
  test("the repository, its sub-directories and a link to it are one project", () => {
    const link = join(place.root, "link");
    symlinkSync(repo, link);
    for (const dir of [
      repo,
      join(repo, "src"),
      join(repo, "src", "deep"),
      link,
      join(link, "src"),
      `${repo}/`,
    ]) {
      expect(resolveProject(dir, env).project).toEqual({
        key: repo,
        name: "repo",
        worktree: null,
        root: repo,
      });
    }
  });

  test("PJ-02: a worktree is the same project with its own name and root, also when it is gone again", () => {
    const tree = join(place.root, "trees", "feature-x");
    git(repo, "worktree", "add", "-q", "-b", "feature-x", tree);
    const expected = { key: repo, name: "repo", worktree: "feature-x", root: tree };
    expect(resolveProject(tree, env).project).toEqual(expected);
    expect(resolveProject(join(tree, "src"), env).project).toEqual(expected);
    git(repo, "worktree", "remove", tree);
    expect(existsSync(tree)).toBe(false);
    expect(keyOf(repo)).toBe(repo);
    expect(resolveProject(tree, env).project).toMatchObject({ key: tree, worktree: null });
  });

  test("a worktree of a bare repository is keyed by the bare repository", () => {
    const bare = join(place.root, "bare.git");
    git(place.root, "clone", "-q", "--bare", repo, bare);
    const [one, two] = [join(place.root, "bare-one"), join(place.root, "bare-two")];
    git(bare, "worktree", "add", "-q", "-b", "one", one);
    git(bare, "worktree", "add", "-q", "-b", "two", two);
    expect(keyOf(one)).toBe(bare);
    expect(keyOf(two)).toBe(bare);
  });

  test("a submodule is a project of its own", () => {
    const outer = join(place.root, "work", "outer");
    mkdirSync(outer);
    git(outer, "init", "-q");
    git(outer, "submodule", "add", "-q", repo, "lib");
    expect(resolveProject(join(outer, "lib", "src"), env).project).toEqual({
      key: join(outer, "lib"),
      name: "lib",
      worktree: null,
      root: join(outer, "lib"),
    });
  });

  test("a directory without git is its own project, a missing one too", () => {
    const plain = join(place.root, "work", "plain dir (1)");
    mkdirSync(plain);
    expect(resolveProject(plain, env).project).toMatchObject({ key: plain, name: "plain dir (1)" });
    expect(keyOf(join(plain, "none"))).toBe(join(plain, "none"));
  });

  test.each([
    ["empty", ""],
    ["garbage", "\0\0\0"],
    ["pointing nowhere", "gitdir: /none/.git/worktrees/x"],
  ])("a .git file that is %s breaks nothing", (name, content) => {
    const dir = join(place.root, "work", `broken-${name.replaceAll(" ", "-")}`);
    mkdirSync(dir);
    writeFileSync(join(dir, ".git"), content);
    expect(keyOf(dir)).toBe(dir);
  });
});

test("PJ-04: a moved repository is known by its name file, whatever its directory is called", () => {
  const [one, two] = [join(place.root, "PasteyPal"), join(place.root, "moved", "pasteypal")];
  mkdirSync(join(one, ".git"), { recursive: true });
  writeFileSync(join(one, ".throughline"), "  Pastey Pal \nmore\n");
  cpSync(one, two, { recursive: true });
  expect(resolveProject(one, env)).toMatchObject({
    marked: true,
    project: { key: "name:Pastey Pal", name: "Pastey Pal" },
  });
  expect(keyOf(two)).toBe("name:Pastey Pal");
});

describe("PJ-05: never a project", () => {
  test("home, root, temporary directories, ours and the host's", () => {
    const own = [join(place.home, ".throughline"), join(place.home, ".claude")];
    for (const dir of own) mkdirSync(join(dir, "below"), { recursive: true });
    const dirs = [place.home, "/", "/tmp", "/var/tmp", ...own, ...own.map((dir) => join(dir, "below"))];
    for (const dir of dirs) {
      expect({ dir, project: resolveProject(dir, env, own).project }).toEqual({ dir, project: null });
    }
    expect(resolveProject(place.root, { ...env, TMPDIR: place.root }).project).toBeNull();
  });

  test("what lies in the home is one, even where the home is a repository", () => {
    const sub = join(place.home, "sub");
    mkdirSync(join(place.home, ".git"), { recursive: true });
    mkdirSync(sub);
    expect(keyOf(place.home)).toBeNull();
    expect(keyOf(sub)).toBe(sub);
    rmSync(join(place.home, ".git"), { recursive: true });
  });

  test("a home that is reached through a link is still the home", () => {
    const link = join(place.root, "home-link");
    symlinkSync(place.home, link);
    expect(resolveProject(link, env).project).toBeNull();
    expect(resolveProject(place.home, { HOME: link }).project).toBeNull();
  });
});

describe("markers and names", () => {
  test.each([
    ["at the top", ".throughline-off", "src", { off: true, marked: false }],
    ["in the directory", "src/.throughline-off", "src", { off: true, marked: false }],
    ["below it: nothing", "src/.throughline-off", ".", { off: false, marked: false }],
    ["opt in", ".throughline", "src", { off: false, marked: true }],
  ])("PJ-07: a marker %s", (name, marker, dir, expected) => {
    const top = join(place.root, "marked", name.replaceAll(/\W/g, "-"));
    mkdirSync(join(top, ".git"), { recursive: true });
    mkdirSync(join(top, "src"));
    writeFileSync(join(top, marker), "");
    expect(resolveProject(join(top, dir), env)).toMatchObject({ ...expected, project: { key: top } });
  });

  test("the environment's name wins over the file's, and gives even the home one", () => {
    writeFileSync(join(place.project, ".throughline"), "from-file\n");
    expect(keyOf(place.project)).toBe("name:from-file");
    const named = { ...env, CLAUDE_MEM_PROJECT: "mine" };
    expect(resolveProject(place.project, named).project?.key).toBe("name:mine");
    expect(resolveProject(place.home, named).project?.key).toBe("name:mine");
    expect(resolveProject(place.project, { ...env, CLAUDE_MEM_PROJECT: " " }).project?.key).toBe(
      "name:from-file",
    );
    rmSync(join(place.project, ".throughline"));
  });

  test("a name file of any size or kind is read as far as a name goes", () => {
    const dir = join(place.root, "long-name");
    mkdirSync(join(dir, ".git"), { recursive: true });
    writeFileSync(join(dir, ".throughline"), "n".repeat(100_000));
    expect(resolveProject(dir, env).project?.name).toHaveLength(100);
    rmSync(join(dir, ".throughline"));
    mkdirSync(join(dir, ".throughline"));
    expect(resolveProject(dir, env)).toMatchObject({ marked: false, project: { name: basename(dir) } });
  });
});

test.each([
  ["/a/b", "/a", true],
  ["/a", "/a", true],
  ["/ab", "/a", false],
  ["/a", "/", true],
  ["/a", "/a/b", false],
])("%s inside %s: %p", (path, parent, expected) => {
  expect(isInside(path, parent)).toBe(expected);
});
