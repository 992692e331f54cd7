export interface Poll {
  /** Looks at once, or once more if it is looking already. */
  now(): void;
  /** Ends, after the look that is under way. */
  stop(): Promise<void>;
}

/** Calls `look` every `everyMs` and when asked, never twice at a time. What it throws goes to `onError`; the next look comes all the same. */
export function poll(
  look: () => Promise<void>,
  options: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): Poll {
  let asked = true;
  const stopping = new AbortController();
  let wake = (): void => {};
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      asked = false;
      await look().catch(options.onError);
      if (asked || stopping.signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.everyMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const ended = loop();
  const now = (): void => {
    asked = true;
    wake();
  };
  return {
    now,
    stop: async () => {
      stopping.abort();
      now();
      await ended;
    },
  };
}
