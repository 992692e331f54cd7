/** What a test file promises: read from its text, without running it. Each list may hold an entry more than once. */
export interface TestEvidence {
  /** Titles of test cases, or their names where a language has no titles. */
  readonly cases: readonly string[];
  /** Assertions with names of other things left out, so that a rename or another import changes none of them. */
  readonly assertions: readonly string[];
  /** Marks that keep tests from running. */
  readonly skips: readonly string[];
}

const TEST_FILE =
  /(?:^|\/)(?:__tests__|__snapshots__|tests?|specs?|e2e)\/|[._-](?:test|spec|e2e|cy)\.[^./]+$|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb|exs)$|(?:Test|Tests|IT)\.(?:java|kt|cs)$|\.snap$/;

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

const CASES: readonly RegExp[] = [
  /\b(?:it|test|specify|bench)(?:\.[\w.]+)?(?:\([^()\n]*\)|`[^`]*`)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g,
  /^\s*(?:async\s+)?def\s+(test\w*)\s*\(/gm,
  /^func\s+((?:Test|Fuzz)\w*)\s*\(/gm,
  /#\[(?:\w+::)?test[^\]]{0,200}\]\s*(?:#\[[^\]]{0,200}\]\s*){0,9}(?:async\s+)?fn\s+(\w+)/g,
  /@(?:Test|ParameterizedTest)\b[^{;]{0,300}?\s(\w+)\s*\(/g,
];

const SKIPS =
  /\b(?:it|test|describe|suite|context|specify)\s*\.\s*(?:\w+\s*\.\s*)*(?:skip|only|todo|fails|failing|skipIf|runIf|fixme)\b|\b(?:xit|xtest|xdescribe|xcontext|fit|fdescribe)\b(?=\s*[(.])|\b(?:this|ctx|context|t)\.(?:skip|todo|Skip|SkipNow)\b(?=\s*\()|\b(?:skip|todo|only)\s*:\s*(?=true|['"`])|@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.skip\w*|Disabled|Ignore)\b|#\[ignore\b/g;

const ASSERTION = /\b(?:expect|assert)\w*\b/g;

/** The words of assertions themselves: they stay as they are, everything else that is a name is left out. */
const ASSERTING =
  /^(?:expect|assert|to[A-Z]|not$|resolves$|rejects$|true$|false$|null$|undefined$|to$|be$|a$|an$|have$|deep$|ok$|throw|[a-z]*[eE]qual|is[A-Z]|include|match|contain|rejects|any$|objectContaining$|stringContaining$|anything$|closeTo$)/;

export function readTestEvidence(text: string): TestEvidence {
  const code = withoutComments(text);
  return {
    cases: CASES.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match.slice(1).find(Boolean) ?? '')),
    assertions: readAssertions(code),
    skips: [...code.matchAll(SKIPS)].map(([mark]) => mark.replaceAll(/\s/g, '')),
  };
}

/** A test that is commented out is gone. Strings are kept whole, so that an address in one is not taken for a comment. */
function withoutComments(text: string): string {
  return text.replaceAll(
    /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?<![:\\])\/\/[^\n]*|^\s*#(?!\[)[^\n]*/gm,
    (_all, string: string | undefined) => string ?? '',
  );
}

function readAssertions(code: string): readonly string[] {
  const assertions: string[] = [];
  let end = 0;
  for (const match of code.matchAll(ASSERTION)) {
    // `expect(f(expect.any(String)))` is one assertion; an import of `expect` is none.
    if (
      match.index < end ||
      !/^\s*[.(\s]/.test(code.slice(match.index + match[0].length, match.index + match[0].length + 2))
    )
      continue;
    end = endOfAssertion(code, match.index + match[0].length);
    const shape = shapeOf(code.slice(match.index, end));
    if (shape !== match[0]) assertions.push(shape);
  }
  return assertions;
}

/** Over calls and chains to the end of the statement; a line's end counts only outside of parentheses and before no dot. */
function endOfAssertion(code: string, from: number): number {
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const character = code[at] ?? '';
    if ('\'"`'.includes(character)) at = endOfString(code, at);
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth < 0) return at;
    else if (depth === 0 && character === ';') return at;
    else if (depth === 0 && character === '\n' && !/^\s*\./.test(code.slice(at, at + 200))) return at;
  }
  return code.length;
}

function endOfString(code: string, from: number): number {
  const quote = code[from];
  for (let at = from + 1; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === quote || (code[at] === '\n' && quote !== '`')) return at;
  }
  return code.length;
}

function shapeOf(assertion: string): string {
  return assertion
    .replaceAll(
      /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)|([A-Za-z_$][\w$]*)/g,
      (_all, string: string | undefined, name: string | undefined) =>
        string === undefined ? (ASSERTING.test(name ?? '') ? (name ?? '') : '_') : JSON.stringify(string.slice(1, -1)),
    )
    .replaceAll(/\s+/g, '')
    .replaceAll(/,(?=[)\]}])/g, '');
}
