import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { linesThatMatch, read, sourceFiles } from './tree.ts';

const workflowFiles = sourceFiles.filter((file) => file.startsWith('workflows/'));
/** Left out, a cancel returns at once and the run closes seconds before its activity has stopped. */
const NEEDS_CANCELLATION_TYPE = new Set([
  'proxyActivities',
  'proxyLocalActivities',
  'executeWithOptions',
  'executeChild',
  'startChild',
]);

function calleeName({ expression }: ts.CallExpression): string | undefined {
  if (ts.isIdentifier(expression)) return expression.text;
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : undefined;
}

/** The text of each options object, a name being followed to the constant it stands for in the same file. */
function optionsOf(call: ts.CallExpression, source: ts.SourceFile): string {
  const argument = call.arguments.find((each) => ts.isObjectLiteralExpression(each)) ?? call.arguments.at(-1);
  if (argument === undefined) return '';
  if (!ts.isIdentifier(argument)) return argument.getText(source);
  const constant = source.statements
    .filter((statement) => ts.isVariableStatement(statement))
    .flatMap((statement) => [...statement.declarationList.declarations])
    .find((declaration) => declaration.name.getText(source) === argument.text);
  return constant?.getText(source) ?? '';
}

function callsWithoutCancellationType(file: string): readonly string[] {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && NEEDS_CANCELLATION_TYPE.has(calleeName(node) ?? '')) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (!/\bcancellationType\b/.test(optionsOf(node, source))) found.push(`${file}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('workflow code', () => {
  it('continues as new through the one helper that carries the memo on', () => {
    const others = workflowFiles.filter((file) => file !== 'workflows/continue-as-new.ts');
    expect(linesThatMatch(others, /\b(continueAsNew|makeContinueAsNewFunc)\s*(<[^(]*>)?\(/)).toEqual([]);
  });

  it('says with every activity what a cancel waits for', () => {
    expect(workflowFiles.flatMap(callsWithoutCancellationType)).toEqual([]);
  });
});
