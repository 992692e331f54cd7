/** The only source of time. Durations are measured with `performance.now()` and recorded, never decided upon. */
export interface Clock {
  now(): Date;
}
