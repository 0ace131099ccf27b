/**
 * The expressions of DynamoDB that the ledger uses, as functions. What is not in this grammar is refused, so that the
 * model never guesses what AWS would do.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html
 */
import { isSame, orderOf, type StoredItem, type StoredValue } from './value.ts';

/** The item, names and values that an expression is about. */
export interface ExpressionScope {
  readonly item: StoredItem;
  readonly names: Readonly<Record<string, string>>;
  readonly values: StoredItem;
}

/** An attribute or a value of the request. */
export interface ExpressionOperand {
  readonly text: string;
  readonly of: (scope: ExpressionScope) => StoredValue | undefined;
}

/** An expression that was parsed. `words` are its names and values. */
export interface Parsed<Meaning> {
  readonly meaning: Meaning;
  readonly words: ReadonlySet<string>;
}

export type ItemCondition = (scope: ExpressionScope) => boolean;

/** One change of an update. */
export type ItemChange =
  | { readonly what: 'set'; readonly path: string; readonly to: ExpressionOperand['of'] }
  | { readonly what: 'add' | 'delete'; readonly path: string; readonly by: ExpressionOperand['of'] }
  | { readonly what: 'remove'; readonly path: string };

/** DynamoDB refuses a request as one that can never succeed. */
export class ValidationException extends Error {
  override readonly name = 'ValidationException';
  readonly $metadata = { httpStatusCode: 400 };
}

const tokenPattern = /\s*([:#]?\w+|<=|>=|[=<>()+,-])/y;
const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Parses a condition, a filter or a condition on keys. */
export const conditionOf = remembering((text): ItemCondition => {
  const tokens = new ExpressionTokens(text);
  const condition = either(tokens);
  tokens.end();
  return condition;
});

/** Parses an update. */
export const changesOf = remembering((text): readonly ItemChange[] => {
  const tokens = new ExpressionTokens(text);
  const changes: ItemChange[] = [];
  while (!tokens.isAtEnd()) {
    const clause = clauses[tokens.next()] ?? tokens.refuse();
    do changes.push(clause(tokens));
    while (tokens.takes(','));
  }
  return changes;
});

/** Parses a projection: the attributes to answer. */
export const pathsOf = remembering((text): readonly string[] => {
  const tokens = new ExpressionTokens(text);
  const paths: string[] = [];
  do paths.push(pathIn(tokens));
  while (tokens.takes(','));
  tokens.end();
  return paths;
});

/** The attribute that a path names. */
export function nameIn(path: string, names: ExpressionScope['names']): string {
  if (!path.startsWith('#')) return path;
  const name = names[path];
  if (name === undefined) throw new ValidationException(`The name ${path} is not defined.`);
  return name;
}

function remembering<Meaning>(parse: (text: string) => Meaning): (text: string) => Parsed<Meaning> {
  const known = new Map<string, Parsed<Meaning>>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const words = new Set(text.match(/[:#]\w+/g));
    const parsed = { meaning: parse(text), words };
    known.set(text, parsed);
    return parsed;
  };
}

class ExpressionTokens {
  readonly #text: string;
  readonly #all: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#text = text;
    const all: string[] = [];
    const pattern = new RegExp(tokenPattern);
    const length = text.trimEnd().length;
    for (let at = 0; at < length; at = pattern.lastIndex) {
      const [, token] = pattern.exec(text) ?? this.refuse();
      all.push(token as string);
    }
    this.#all = all;
  }

  isAtEnd(): boolean {
    return this.#index === this.#all.length;
  }

  next(): string {
    const token = this.#all[this.#index] ?? this.refuse();
    this.#index += 1;
    return token;
  }

  /** Steps over a token, if it is the next one. */
  takes(token: string): boolean {
    const isNext = this.#all[this.#index] === token;
    if (isNext) this.#index += 1;
    return isNext;
  }

  expect(token: string): void {
    if (!this.takes(token)) this.refuse();
  }

  end(): void {
    if (!this.isAtEnd()) this.refuse();
  }

  refuse(): never {
    throw new ValidationException(`The model does not know the expression: ${this.#text}`);
  }
}

function either(tokens: ExpressionTokens): ItemCondition {
  let all = both(tokens);
  while (tokens.takes('OR')) {
    const [left, right] = [all, both(tokens)];
    all = (scope) => left(scope) || right(scope);
  }
  return all;
}

function both(tokens: ExpressionTokens): ItemCondition {
  let all = single(tokens);
  while (tokens.takes('AND')) {
    const [left, right] = [all, single(tokens)];
    all = (scope) => left(scope) && right(scope);
  }
  return all;
}

function single(tokens: ExpressionTokens): ItemCondition {
  if (tokens.takes('NOT')) {
    const inner = single(tokens);
    return (scope) => !inner(scope);
  }
  if (tokens.takes('(')) {
    const inner = either(tokens);
    tokens.expect(')');
    return inner;
  }
  const name = tokens.next();
  return tokens.takes('(') ? called(name, tokens) : compared(operandOf(name, tokens), tokens);
}

function called(name: string, tokens: ExpressionTokens): ItemCondition {
  const { of } = operandOf(pathIn(tokens), tokens);
  if (name === 'begins_with') {
    tokens.expect(',');
    const prefix = operandOf(tokens.next(), tokens).of;
    tokens.expect(')');
    return (scope) => {
      const [text, start] = [of(scope), prefix(scope)];
      return typeof text === 'string' && typeof start === 'string' && text.startsWith(start);
    };
  }
  tokens.expect(')');
  if (name === 'attribute_exists') return (scope) => of(scope) !== undefined;
  if (name === 'attribute_not_exists') return (scope) => of(scope) === undefined;
  return tokens.refuse();
}

function compared({ of: left }: ExpressionOperand, tokens: ExpressionTokens): ItemCondition {
  const sign = tokens.next();
  const { of: right } = operandOf(tokens.next(), tokens);
  if (sign === '=') return (scope) => isSame(left(scope), right(scope));
  if (sign === 'BETWEEN') {
    tokens.expect('AND');
    const { of: last } = operandOf(tokens.next(), tokens);
    return (scope) => {
      const value = left(scope);
      const [above, below] = [orderOf(right(scope), value), orderOf(value, last(scope))];
      return above !== undefined && above <= 0 && below !== undefined && below <= 0;
    };
  }
  const holds = comparisons[sign] ?? tokens.refuse();
  return (scope) => {
    const order = orderOf(left(scope), right(scope));
    return order !== undefined && holds(order);
  };
}

function operandOf(text: string, tokens: ExpressionTokens): ExpressionOperand {
  if (text.startsWith(':')) {
    const of = ({ values }: ExpressionScope): StoredValue => {
      const value = values[text];
      if (value === undefined) throw new ValidationException(`The value ${text} is not defined.`);
      return value;
    };
    return { text, of };
  }
  const path = pathOf(text, tokens);
  return { text, of: ({ item, names }) => item[nameIn(path, names)] };
}

function pathIn(tokens: ExpressionTokens): string {
  return pathOf(tokens.next(), tokens);
}

function pathOf(text: string, tokens: ExpressionTokens): string {
  return /^(#\w+|[A-Za-z]\w*)$/.test(text) ? text : tokens.refuse();
}

const clauses: Readonly<Record<string, (tokens: ExpressionTokens) => ItemChange>> = {
  SET: (tokens) => {
    const path = pathIn(tokens);
    tokens.expect('=');
    return { what: 'set', path, to: sumIn(tokens) };
  },
  ADD: (tokens) => ({ what: 'add', path: pathIn(tokens), by: operandOf(tokens.next(), tokens).of }),
  REMOVE: (tokens) => ({ what: 'remove', path: pathIn(tokens) }),
  DELETE: (tokens) => ({
    what: 'delete',
    path: pathIn(tokens),
    by: operandOf(tokens.next(), tokens).of,
  }),
};

/** A value, or the sum or difference of two. */
function sumIn(tokens: ExpressionTokens): ExpressionOperand['of'] {
  const { text, of } = operandOf(tokens.next(), tokens);
  const isSum = tokens.takes('+');
  if (!isSum && !tokens.takes('-')) return of;
  const { of: other } = operandOf(tokens.next(), tokens);
  return (scope) => {
    const [one, two] = [of(scope), other(scope)];
    if (typeof one !== 'bigint' || typeof two !== 'bigint')
      throw new ValidationException(`There is no number at ${text}.`);
    return isSum ? one + two : one - two;
  };
}
