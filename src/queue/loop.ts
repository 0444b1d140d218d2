/** A loop that says how long it sleeps, can be woken, and stops between two pieces of work. */

export type Loop = {
  /** There is something to do: do not sleep on. */
  wake: () => void;
  /** Resolves when the round under way is over. */
  stop: () => Promise<void>;
  done: Promise<void>;
};

/**
 * Calls `round` again and again; it answers how many milliseconds to sleep (0: there is more to do). What it
 * throws ends up in `onError`, and the loop goes on after `errorMs`.
 */
export function startLoop(
  round: () => number | Promise<number>,
  onError: (error: unknown) => void,
  errorMs = 1_000,
): Loop {
  let stopping = false;
  let woken = false;
  let wakeUp: () => void = () => undefined;
  const run = async () => {
    while (!stopping) {
      woken = false;
      let sleep: number;
      try {
        sleep = await round();
      } catch (error) {
        onError(error);
        sleep = errorMs;
      }
      if (stopping || woken) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, sleep);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const done = run();
  return {
    wake: () => {
      woken = true;
      wakeUp();
    },
    stop: () => {
      stopping = true;
      wakeUp();
      return done;
    },
    done,
  };
}
