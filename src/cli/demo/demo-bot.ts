import type { RunStore } from '../../database/run-store.ts';

export interface DemoBot {
  readonly webhookUrl: string;
  /** Reads of the ledger, for the narration. */
  readonly store: () => Pick<RunStore, 'ledger' | 'runsOf'>;
  /**
   * Kills the process that does the work, as a power cut would, and starts another over what it left. Answers the ids of both; null
   * where the work is done in this process.
   */
  crash(): Promise<{ readonly killed: number; readonly successor: number } | null>;
  stop(): Promise<void>;
}
