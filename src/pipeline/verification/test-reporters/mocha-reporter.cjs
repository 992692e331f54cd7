'use strict';
// Loaded by the repository's own mocha, inside the sandbox. Plain JavaScript: a suite that registers ts-node or the like would
// compile a TypeScript file by the repository's settings. Prints what mocha's default reporter prints, and leaves one JSON line
// per test in the file named by the reporter option `output`; `../parse-test-report/parse-event-report.ts` reads it.
const { writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

// This file lies outside of the tree, so mocha is looked up from there.
const { Spec } = createRequire(join(process.cwd(), 'package.json'))('mocha').reporters;

module.exports = function report(runner, options) {
  const lines = [];
  const write = (event) => lines.push(JSON.stringify(event));
  const fileOf = (runnable) => runnable.file ?? (runnable.parent ? fileOf(runnable.parent) : '');

  runner.on('pass', (test) => write({ file: fileOf(test), path: test.titlePath(), outcome: 'passed' }));
  runner.on('pending', (test) => write({ file: fileOf(test), path: test.titlePath(), outcome: 'skipped' }));
  runner.on('fail', (test) => {
    if (test.type === 'hook') write({ file: fileOf(test), path: test.titlePath(), problem: 'hook fails' });
    else write({ file: fileOf(test), path: test.titlePath(), outcome: 'failed' });
  });
  runner.once('end', () => {
    write({ end: true });
    writeFileSync((options.reporterOption ?? options.reporterOptions).output, lines.join('\n'));
  });
  return new Spec(runner, options);
};
