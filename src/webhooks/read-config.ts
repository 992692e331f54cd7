import { loadRepoConfig } from '../config/load-repo-config.ts';
import type { RepoConfig } from '../config/repo-config.ts';
import { DEFAULT_LABEL } from '../config/resolve-options.ts';
import { BotError } from '../domain/errors.ts';
import type { RepositoryRef } from '../domain/repository.ts';
import type { DeliveryPorts } from './delivery.ts';

/** The repository's configuration as far as a trigger needs it: the label, and what is wrong with the file. */
export interface TriggerConfig {
  readonly label: string;
  /** Markdown for the issue; null when the configuration is sound. */
  readonly problem: string | null;
}

export async function readTriggerConfig(ports: DeliveryPorts, repository: RepositoryRef): Promise<TriggerConfig> {
  const labelOf = (config: RepoConfig) => config.label ?? ports.operatorOptions.label ?? DEFAULT_LABEL;
  try {
    const { config } = await loadRepoConfig(ports.repositories, repository);
    return { label: labelOf(config), problem: null };
  } catch (error) {
    if (!(error instanceof BotError) || error.code !== 'config-invalid') throw error;
    const { label } = error.details;
    return { label: labelOf(typeof label === 'string' ? { label } : {}), problem: error.message };
  }
}
