/** Puts a form to whoever sits at the terminal, field by field. */
import type { InputRequest, JsonObject, JsonValue } from '../protocol/task.ts';

export interface Answers {
  /** Given on the command line, by field name. */
  readonly given: ReadonlyMap<string, string>;
  /** Answers what was not given without asking. */
  readonly isAutomatic: boolean;
  /** The next line of standard input; a person's, or a script's. */
  readonly readLine: (prompt: string) => Promise<string>;
}

type Reply = { readonly action: 'accept'; readonly content: JsonObject } | { readonly action: 'decline' };

/** An empty line leaves out what may be left out; `!` declines the whole question. */
export async function askForm(request: InputRequest, answers: Answers): Promise<Reply> {
  const schema = request.params['requestedSchema'] as {
    properties: Readonly<Record<string, JsonObject>>;
    required?: readonly string[];
  };
  console.log(`\n? ${textIn(request.params, 'message')}`);
  const content: Record<string, JsonValue> = {};
  for (const [name, rules] of Object.entries(schema.properties)) {
    const isRequired = schema.required?.includes(name) === true;
    const given = answers.given.get(name) ?? (answers.isAutomatic ? automatic(rules, isRequired) : undefined);
    const typed = given ?? (await typedIn(name, rules, isRequired, answers.readLine));
    if (typed === '!') return { action: 'decline' };
    if (given !== undefined && given !== '') console.log(`  ${name}: ${given}`);
    if (typed !== '') content[name] = valueOf(rules, typed);
  }
  return { action: 'accept', content };
}

async function typedIn(
  name: string,
  rules: JsonObject,
  isRequired: boolean,
  readLine: Answers['readLine'],
): Promise<string> {
  const options = optionsOf(rules);
  options.forEach(({ title }, index) => console.log(`    ${index + 1}  ${title}`));
  const label = typeof rules['title'] === 'string' ? rules['title'] : name;
  const hint = options.length > 0 ? `1 to ${options.length}` : hintOf(rules);
  for (;;) {
    const line = (await readLine(`  ${label} (${hint}${isRequired ? '' : ', may be empty'}; ! declines): `)).trim();
    const chosen = options[Number(line) - 1]?.value ?? line;
    if (chosen !== '' || !isRequired) return chosen;
  }
}

function hintOf(rules: JsonObject): string {
  const { type, minLength, format } = rules;
  if (type === 'boolean') return 'yes or no';
  if (typeof format === 'string') return format;
  return typeof minLength === 'number' ? `at least ${minLength} characters` : textIn(rules, 'type');
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === 'string' ? value : '';
}

function optionsOf(rules: JsonObject): readonly { value: string; title: string }[] {
  const titled = rules['oneOf'] as readonly { const: string; title: string }[] | undefined;
  const plain = rules['enum'] as readonly string[] | undefined;
  return (
    titled?.map(({ const: value, title }) => ({ value, title })) ??
    plain?.map((value) => ({ value, title: value })) ??
    []
  );
}

function automatic(rules: JsonObject, isRequired: boolean): string {
  if (!isRequired) return '';
  const [first] = optionsOf(rules);
  if (first !== undefined) return first.value;
  if (rules['type'] === 'boolean') return 'yes';
  if (rules['type'] === 'string') return 'Answered by the demo, as no person was asked.';
  return typeof rules['minimum'] === 'number' ? String(rules['minimum']) : '1';
}

function valueOf(rules: JsonObject, typed: string): JsonValue {
  if (rules['type'] === 'boolean') return /^(y|yes|true)$/i.test(typed);
  if (rules['type'] === 'integer' || rules['type'] === 'number') return Number(typed);
  if (rules['type'] === 'array') return typed.split(',').map((part) => part.trim());
  return typed;
}
