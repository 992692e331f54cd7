import { measureFile } from './measure-file.ts';

/**
 * Runs as its own process (`measure-files.ts`). Answers each message, which is a file, with its measurement; ends when the channel
 * is closed by the other side.
 */
process.on('message', ({ path, text }: { readonly path: string; readonly text: string }) => {
  process.send?.(measureFile(path, text));
});
