// Loaded by `node --test` inside the sandbox; its output goes to the report file while `spec` prints. Plain JavaScript, as a suite
// may hook the loading of TypeScript. One JSON line per test; `../parse-test-report/parse-event-report.ts` reads it.

/** Events arrive in the order of declaration, each test's start before those of its subtests: that gives the names around it. */
// oxlint-disable-next-line import/no-default-export -- node loads a reporter by its default export
export default async function* report(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      names.length = data.nesting;
      names.push(data.name);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const path = [...names.slice(0, data.nesting), data.name];
    const line = describe(type, data, path);
    if (line !== null) yield `${JSON.stringify(line)}\n`;
  }
  yield `${JSON.stringify({ end: true })}\n`;
}

function describe(type, data, path) {
  const file = data.file ?? '';
  const failure = type === 'test:fail' ? (data.details?.error?.failureType ?? 'testCodeFailure') : null;
  // node reports each file as a test around its tests.
  if (isWholeFile(data, file)) {
    if (failure === null) return { file, path: ['(whole file)'], outcome: 'passed' };
    return failure === 'subtestsFailed' ? null : { file, path: [], problem: 'fails outside of its tests' };
  }
  if (data.details?.type === 'suite') {
    const isOfTests = failure === null || failure === 'subtestsFailed' || failure === 'cancelledByParent';
    return isOfTests ? null : { file, path, problem: 'suite or hook fails' };
  }
  if (data.skip !== undefined || data.todo !== undefined) return { file, path, outcome: 'skipped' };
  return { file, path, outcome: failure === null ? 'passed' : 'failed' };
}

function isWholeFile(data, file) {
  return (
    data.nesting === 0 && data.line === 1 && data.column === 1 && (file === data.name || file.endsWith(`/${data.name}`))
  );
}
