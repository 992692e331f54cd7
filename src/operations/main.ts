import { readFileSync, realpathSync } from 'node:fs';
import { ANSWER_MARKER, type ProgramAnswer, type ProgramRequest } from './protocol.ts';
import { apply } from './apply.ts';
import { detect } from './detect.ts';
import { openWorkbench } from './workbench.ts';

/**
 * The program of the mechanical operations: `node main.ts <request file>`, run inside the sandbox with the checkout as its working
 * directory, which it only reads. It knows nothing of the bot but this protocol.
 */
function answer(requestFile: string): ProgramAnswer {
  try {
    const request = JSON.parse(readFileSync(requestFile, 'utf8')) as ProgramRequest;
    const bench = openWorkbench(realpathSync(process.cwd()));
    return request.kind === 'detect'
      ? { kind: 'detection', detection: detect(bench, request.request) }
      : { kind: 'application', application: apply(bench, request.recipe) };
  } catch (thrown) {
    return { kind: 'failed', message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}

process.stdout.write(`\n${ANSWER_MARKER}\n${JSON.stringify(answer(process.argv[2] ?? ''))}\n`);
