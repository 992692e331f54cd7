import { pino, type Logger as PinoLogger } from 'pino';
import { describeError } from './redact.ts';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;

/** Constant lower-case messages; data in fields; durations in ms. Of an `err`, what is safe to keep. */
export function createLogger(options: {
  readonly level: string;
  readonly destination?: NodeJS.WritableStream;
}): Logger {
  return pino(
    { level: options.level, base: null, serializers: { err: describeError } },
    options.destination ?? process.stderr,
  );
}
