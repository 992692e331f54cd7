import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'child'>;

/** Constant lower-case messages; data in fields; durations in ms. */
export function createLogger(options: {
  readonly level: string;
  readonly destination?: NodeJS.WritableStream;
}): Logger {
  return pino({ level: options.level, base: null }, options.destination ?? process.stderr);
}
