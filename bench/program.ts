/** Running a program from start to end and timing it. */

export type ProgramRun = { ms: number; exitCode: number; output: string };

export type ProgramOptions = { env: Record<string, string>; cwd: string; input?: string };

/** Wall time in milliseconds from before the start to the known end. Standard input is a pipe, as from a host. */
export async function runTimed(words: readonly string[], options: ProgramOptions): Promise<ProgramRun> {
  const { env, cwd, input } = options;
  const bytes = input === undefined ? null : Buffer.from(input);
  const before = performance.now();
  const child = Bun.spawn([...words], {
    env,
    cwd,
    stdin: bytes ?? "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const exitCode = await child.exited;
  const ms = performance.now() - before;
  return { ms, exitCode, output: await new Response(child.stdout).text() };
}

/** The same, but the program must end well. Answers the milliseconds. */
export async function timeOf(words: readonly string[], options: ProgramOptions): Promise<number> {
  const run = await runTimed(words, options);
  if (run.exitCode !== 0) throw new Error(`${words.join(" ")} ended with ${run.exitCode}.`);
  return run.ms;
}
