import { z } from 'zod';

const globs = z.array(z.string().min(1)).max(200);
const commands = z.array(z.string().min(1).max(2000)).max(20);

/**
 * `.github/refactor-bot.yml` or `.refactor-bot.config.json`, from the default branch. Strict: an unknown key is an error.
 * The keys are a public format; `docs/configuration.md` and `schemas/config.schema.json` follow from here.
 */
export const repoConfigSchema = z.strictObject({
  label: z.string().min(1).max(50).optional().describe('The label that starts a run. Default "refactor".'),
  approval: z
    .enum(['auto', 'required'])
    .optional()
    .describe('Whether a labelled run waits for /refactor approve. Default "auto".'),
  baseline: z
    .enum(['strict', 'known-failures'])
    .optional()
    .describe(
      '"strict": every check must pass before anything changes. "known-failures": named failing tests are accepted.',
    ),
  on_batch_failure: z
    .enum(['skip', 'stop'])
    .optional()
    .describe('What a failed batch does to the rest of the run. Default "skip".'),
  install: commands
    .optional()
    .describe('Commands that install dependencies, run with the package registries reachable.'),
  fast_verifier: commands.optional().describe('Commands after each batch. Default: unit tests and lint, as detected.'),
  full_verifier: commands
    .optional()
    .describe('Commands every few batches and at the end. Default: fast plus typecheck and build.'),
  run_full_verifier_every: z.int().min(1).max(100).optional().describe('Default 5.'),
  retry_per_batch: z.int().min(0).max(5).optional().describe('Attempts after the first. Default 2.'),
  max_batches: z.int().min(1).max(200).optional().describe('Default 200.'),
  diff_budget_loc: z
    .int()
    .min(10)
    .max(5000)
    .optional()
    .describe('Added plus removed lines of one batch; moved lines count twice. Default 900.'),
  scope_includes: globs.optional().describe('Only files that match are refactored. Default: all.'),
  scope_excludes: globs.optional().describe('Files that match are left alone.'),
  protected_paths: globs.optional().describe('Files no patch may touch, beside those that are always protected.'),
  allow_public_api_changes: z.boolean().optional().describe('Default false.'),
  allow_without_tests: z
    .boolean()
    .optional()
    .describe('Refactor a repository without tests, with proof-carrying operations only. Default false.'),
  operations: z
    .array(z.enum(['remove-unused-imports', 'remove-unused-declarations', 'split-types']))
    .optional()
    .describe('Mechanical operations that may run. Default: all.'),
  agent: z.enum(['auto', 'mechanical', 'replay']).optional().describe('Who proposes patches. Default "auto".'),
  limits: z
    .strictObject({
      file_lines: z.int().min(50).max(10_000).optional().describe('Default 400.'),
      function_lines: z.int().min(10).max(1000).optional().describe('Default 50.'),
      class_methods: z.int().min(3).max(200).optional().describe('Default 15.'),
      run_minutes: z.int().min(1).max(1440).optional().describe('Wall time of a run. Default 240.'),
      check_minutes: z.int().min(1).max(120).optional().describe('Wall time of one check. Default 15.'),
    })
    .optional(),
});

export type RepoConfig = z.infer<typeof repoConfigSchema>;
