import ts from 'typescript';

const PURE_CONSTRUCTORS: ReadonlySet<string> = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'RegExp',
  'Array',
  'Error',
]);
const PURE_CALLS: ReadonlySet<string> = new Set(['Object.freeze', 'Symbol', 'Symbol.for', 'BigInt', 'String']);

/** True when evaluating it can be seen by nobody, so that it may be left out. Doubt is `false`. */
export function isPureExpression(node: ts.Expression | undefined): boolean {
  if (node === undefined) return true;
  if (ts.isLiteralExpression(node) || ts.isFunctionExpression(node) || ts.isArrowFunction(node)) return true;
  if (ts.isIdentifier(node) || isKeywordLiteral(node)) return true;
  if (ts.isParenthesizedExpression(node) || isTypeWrapper(node)) return isPureExpression(node.expression);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every((element) => isPureExpression(element));
  if (ts.isObjectLiteralExpression(node)) return node.properties.every((property) => isPureProperty(property));
  if (ts.isPrefixUnaryExpression(node)) return isPureUnary(node);
  if (ts.isBinaryExpression(node)) return isPureBinary(node);
  if (ts.isConditionalExpression(node)) {
    return [node.condition, node.whenTrue, node.whenFalse].every((part) => isPureExpression(part));
  }
  if (ts.isTemplateExpression(node)) return node.templateSpans.every((span) => ts.isLiteralExpression(span.expression));
  if (ts.isNewExpression(node)) return isPureConstruction(node);
  if (ts.isCallExpression(node)) return isPureCall(node);
  return ts.isClassExpression(node) && isPureClass(node);
}

/** A class whose declaration runs nothing: no decorator, no static block, no static initialiser that does something. */
export function isPureClass(node: ts.ClassLikeDeclaration): boolean {
  if ((ts.getDecorators(node) ?? []).length > 0) return false;
  const base = (node.heritageClauses ?? []).find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword);
  if (base !== undefined && !base.types.every((type) => ts.isIdentifier(type.expression))) return false;
  return node.members.every((member) => isPureMember(member));
}

function isPureMember(member: ts.ClassElement): boolean {
  if (ts.isClassStaticBlockDeclaration(member)) return false;
  if (ts.canHaveDecorators(member) && (ts.getDecorators(member) ?? []).length > 0) return false;
  if (member.name !== undefined && ts.isComputedPropertyName(member.name)) {
    if (!ts.isLiteralExpression(member.name.expression)) return false;
  }
  const isStatic = ts.canHaveModifiers(member)
    ? (ts.getModifiers(member) ?? []).some((modifier) => modifier.kind === ts.SyntaxKind.StaticKeyword)
    : false;
  return !isStatic || !ts.isPropertyDeclaration(member) || isPureExpression(member.initializer);
}

function isKeywordLiteral(node: ts.Expression): boolean {
  const { kind } = node;
  return (
    kind === ts.SyntaxKind.TrueKeyword ||
    kind === ts.SyntaxKind.FalseKeyword ||
    kind === ts.SyntaxKind.NullKeyword ||
    kind === ts.SyntaxKind.OmittedExpression
  );
}

function isTypeWrapper(
  node: ts.Expression,
): node is ts.AsExpression | ts.SatisfiesExpression | ts.NonNullExpression | ts.TypeAssertion {
  return (
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isTypeAssertionExpression(node)
  );
}

function isPureProperty(property: ts.ObjectLiteralElementLike): boolean {
  // A spread reads every property of its operand, and any of them may be a getter.
  if (ts.isSpreadAssignment(property)) return false;
  if (property.name !== undefined && ts.isComputedPropertyName(property.name)) {
    if (!ts.isLiteralExpression(property.name.expression)) return false;
  }
  return !ts.isPropertyAssignment(property) || isPureExpression(property.initializer);
}

function isPureUnary(node: ts.PrefixUnaryExpression): boolean {
  if (node.operator === ts.SyntaxKind.ExclamationToken) return isPureExpression(node.operand);
  const changes = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  // `-x` calls `valueOf` of an object.
  return !changes && ts.isLiteralExpression(node.operand);
}

const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
]);

function isPureBinary(node: ts.BinaryExpression): boolean {
  if (LOGICAL.has(node.operatorToken.kind)) return isPureExpression(node.left) && isPureExpression(node.right);
  return isArithmetic(node) && isArithmetic(node.left) && isArithmetic(node.right);
}

/** Numbers and strings joined by operators: `60 * 60 * 1000`. An assignment is a binary expression too and is none. */
function isArithmetic(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isArithmetic(node.expression);
  if (ts.isNumericLiteral(node) || ts.isStringLiteral(node)) return true;
  if (!ts.isBinaryExpression(node)) return false;
  const { kind } = node.operatorToken;
  const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
  return !isAssignment && isArithmetic(node.left) && isArithmetic(node.right);
}

function isPureConstruction(node: ts.NewExpression): boolean {
  if (hasPureMark(node)) return true;
  if (!ts.isIdentifier(node.expression) || !PURE_CONSTRUCTORS.has(node.expression.text)) return false;
  const given = node.arguments ?? [];
  return given.every((argument) => ts.isLiteralExpression(argument) || isPureArray(argument));
}

function isPureArray(node: ts.Expression): boolean {
  return ts.isArrayLiteralExpression(node) && isPureExpression(node);
}

function isPureCall(node: ts.CallExpression): boolean {
  if (hasPureMark(node)) return true;
  if (!PURE_CALLS.has(node.expression.getText())) return false;
  const isFreeze = node.expression.getText() === 'Object.freeze';
  return node.arguments.every((argument) =>
    isFreeze ? isPureExpression(argument) && !ts.isIdentifier(argument) : ts.isStringLiteral(argument),
  );
}

// `@__PURE__` in a comment before it: the author's word, which bundlers act on too.
function hasPureMark(node: ts.Expression): boolean {
  const text = node.getSourceFile().text;
  return (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []).some((comment) =>
    /[#@]__PURE__/.test(text.slice(comment.pos, comment.end)),
  );
}
