import { setTimeout as sleep } from 'node:timers/promises';

export interface Poll {
  /** Looks at once, or once more if it is looking already. */
  now(): void;
  /** Ends, after the look that is under way. */
  stop(): Promise<void>;
}

export interface PollOptions {
  readonly everyMs: number;
  /** The least time between two looks. */
  readonly pauseMs: number;
  readonly onError: (error: unknown) => void;
}

/** Calls `look` every `everyMs` and when asked, never twice at a time. What it throws goes to `onError`; the next look comes all the same. */
export function poll(look: () => Promise<void>, options: PollOptions): Poll {
  const stopping = new AbortController();
  const bell = createBell();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      bell.clear();
      await look().catch(options.onError);
      if (options.pauseMs > 0) await sleep(options.pauseMs, null, { signal: stopping.signal }).catch(() => {});
      await bell.heard(options.everyMs);
    }
  };
  const ended = loop();
  return {
    now: () => bell.ring(),
    stop: async () => {
      stopping.abort();
      bell.ring();
      await ended;
    },
  };
}

interface Bell {
  ring(): void;
  clear(): void;
  /** Resolves when it has been rung since it was cleared, at the latest after `ms`. */
  heard(ms: number): Promise<void>;
}

function createBell(): Bell {
  let rung = false;
  let wake = (): void => {};
  return {
    ring: () => {
      rung = true;
      wake();
    },
    clear: () => {
      rung = false;
    },
    heard: (ms) =>
      new Promise((resolve) => {
        if (rung) return resolve();
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
