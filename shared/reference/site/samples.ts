/** A request as a sample in curl, TypeScript and Python. Each can be pasted; a test runs them. */
import type { AnswerName } from '../line.ts';
import type { OperationInfo } from '../operation.ts';
import { sampleBase } from '../sample-base.ts';
import { literal } from './literal.ts';
import type { RequestExample } from './request-example.ts';

export type SampleLanguage = 'curl' | 'typescript' | 'python';
export type Samples = Readonly<Record<SampleLanguage, string>>;

/** Answers that are no signed JSON, which the clients do not read. */
const plain: ReadonlySet<AnswerName> = new Set<AnswerName>([
  'openapi',
  'page',
  'file',
  'script',
  'style',
  'checkpoint',
  'tile',
  'asset',
  'jwks',
  'token',
]);

/** Answers that are read page by page. */
const paged: ReadonlySet<AnswerName> = new Set<AnswerName>([
  'records',
  'changes',
  'balances',
  'all-balances',
  'entries',
  'limits',
  'deliveries',
]);

export function samplesOf(info: OperationInfo, example: RequestExample): Samples {
  return {
    curl: curlOf(info, example),
    typescript: typescriptOf(info, example),
    python: pythonOf(info, example),
  };
}

function addressOf(path: string, { path: members, query }: RequestExample): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(members[name] ?? name),
  );
  const search = new URLSearchParams(query).toString();
  return `${sampleBase}${filled === '/' ? '' : filled}${search && `?${search}`}`;
}

const quoted = (text: string) => (/[?&$!]/.test(text) ? `'${text}'` : text);

function curlOf(info: OperationInfo, example: RequestExample): string {
  const { method, path, body } = info;
  const address = quoted(addressOf(path, example));
  if (body === 'token')
    return `curl -s ${address} -u "$CLIENT_ID:$CLIENT_SECRET" \\\n  -d grant_type=client_credentials`;
  if (!body) return `curl -s ${address}`;
  const verb = method === 'post' ? '' : ` -X ${method.toUpperCase()}`;
  const signing = signingOf(info, example);
  return `${signing} |\n  curl -s${verb} ${address} \\\n    -H 'content-type: application/json' -d @-`;
}

/** Data that is longer gets several lines: the command stands before it. */
const shellWidthMax = 40;

/** The command that prints the signed body. */
function signingOf(info: OperationInfo, example: RequestExample): string {
  const { body } = info;
  const { data = {}, custom = {} } = example;
  const text = shellQuoted(literal(data, 'json', '', shellWidthMax));
  const place = quoted(recordPath(info, example).slice(1));
  const server = `--server ${sampleBase}`;
  switch (body) {
    case 'update':
      return `npx countersign sign ${text} \\\n  --update ${place} ${server}`;
    case 'drop':
      return `npx countersign sign --drop ${place} ${server}`;
    case 'proof':
      return `npx countersign sign --prove ${place} ${server} \\\n  --custom ${shellQuoted(literal(custom, 'json'))}`;
    case 'batch':
      return `intent=$(npx countersign sign ${text})\necho '{"mode": "atomic", "data": ['"$intent"']}'`;
    default:
      return `npx countersign sign ${text}`;
  }
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The path of the record that an operation changes, filled in. */
function recordPath({ path }: OperationInfo, example: RequestExample): string {
  const own = path.replace(/\/(proofs|sign|drop)$/, '');
  return decodeURIComponent(addressOf(own, { ...example, query: {} }).slice(sampleBase.length));
}

interface Words {
  readonly isPaged: boolean;
  readonly isPlain: boolean;
  /** The pattern of the path of the record, and of the operation. */
  readonly record: string;
  readonly pattern: string;
}

function wordsOf({ answers = 'record', path }: OperationInfo): Words {
  const record = path.replace(/\/(proofs|sign|drop)$/, '');
  return { isPaged: paged.has(answers), isPlain: plain.has(answers), record, pattern: path };
}

function typescriptOf(info: OperationInfo, example: RequestExample): string {
  const { isPlain } = wordsOf(info);
  if (isPlain) return fetching(info, example);
  const signs = info.body !== undefined;
  const names = signs ? 'connect, keyFrom' : 'connect';
  const options = signs ? `, {\n  signer: keyFrom(process.env.LEDGER_KEY ?? ''),\n}` : '';
  const lines = [
    `import { ${names} } from 'countersign/client';`,
    '',
    `const ledger = await connect('${sampleBase}'${options});`,
    ...(signs ? typescriptChange(info, example) : typescriptRead(info, example)),
  ];
  return lines.join('\n');
}

function fetching(info: OperationInfo, example: RequestExample): string {
  const address = addressOf(info.path, example);
  if (info.body !== 'token')
    return `const answer = await fetch('${address}');\nconsole.log(answer.status, await answer.text());`;
  return [
    'const { CLIENT_ID, CLIENT_SECRET } = process.env;',
    `const answer = await fetch('${address}', {`,
    "  method: 'POST',",
    '  headers: { authorization: `Basic ${btoa(`${CLIENT_ID}:${CLIENT_SECRET}`)}` },',
    "  body: new URLSearchParams({ grant_type: 'client_credentials' }),",
    '});',
    'console.log(answer.status, await answer.json());',
  ].join('\n');
}

function paramsOf({ path, query }: RequestExample): string {
  const params = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  return Object.keys(params).length > 0 ? `, ${literal(params, 'typescript')}` : '';
}

function typescriptRead(info: OperationInfo, example: RequestExample): string[] {
  const { isPaged, pattern } = wordsOf(info);
  const call = `('${pattern}'${paramsOf(example)})`;
  if (isPaged) return [`for await (const one of ledger.all${call})`, '  console.log(one.data);'];
  return [`const answer = await ledger.get${call};`, 'console.log(answer.data);'];
}

function typescriptChange(info: OperationInfo, example: RequestExample): string[] {
  const { record, pattern } = wordsOf(info);
  const { data = {}, custom = {} } = example;
  const params = paramsOf(example);
  const outer = outerOf(example);
  const more = Object.keys(outer).length > 0 ? `, { path: ${literal(outer, 'typescript')} }` : '';
  const reading = `const record = await ledger.get('${record}'${params});`;
  const text = literal(data, 'typescript');
  switch (info.body) {
    case 'create':
      return [
        `const record = await ledger.create('${pattern}', ${text}${params});`,
        'console.log(record.luid, record.meta.status);',
      ];
    case 'update':
      return [reading, `await ledger.update('${record}', record, ${text}${more});`];
    case 'drop':
      return [reading, `await ledger.drop('${record}/drop', record${more});`];
    case 'proof':
      return [
        reading,
        `await ledger.prove('${record}/proofs', record, ${literal(custom, 'typescript')}${more});`,
      ];
    case 'batch':
      return batchInTypescript(text);
    default:
      return [
        `const answer = await ledger.post('${pattern}', ${text}${params});`,
        'console.log(answer);',
      ];
  }
}

/** The members of the path that the record itself does not name. */
function outerOf({ path }: RequestExample): Readonly<Record<string, string>> {
  const { id, link, ...outer } = path;
  return link === undefined ? outer : { ...outer, ...(id !== undefined && { id }), link };
}

/** A batch has bodies that are signed one by one. */
function batchInTypescript(text: string): string[] {
  return [
    "import { hashOf, prove } from 'countersign/client';",
    `const data = ${text};`,
    'const hash = hashOf(data);',
    "const custom = { moment: new Date().toISOString(), status: 'created' };",
    "const proof = await prove(hash, custom, keyFrom(process.env.LEDGER_KEY ?? ''));",
    "const body = { mode: 'atomic', data: [{ hash, data, meta: { proofs: [proof] } }] };",
    `const answer = await fetch('${sampleBase}/intents/!batch', {`,
    "  method: 'POST',",
    "  headers: { 'content-type': 'application/json' },",
    '  body: JSON.stringify(body),',
    '});',
    'console.log(answer.status, await answer.json());',
  ];
}

function pythonOf(info: OperationInfo, example: RequestExample): string {
  const { isPlain } = wordsOf(info);
  if (isPlain) return urlopen(info, example);
  const signs = info.body !== undefined;
  const lines = [
    `from countersign import ${signs ? 'Key, connect' : 'connect'}`,
    '',
    signs
      ? `ledger = connect("${sampleBase}", signer=Key.from_file("own.key"))`
      : `ledger = connect("${sampleBase}")`,
    ...(signs ? pythonChange(info, example) : pythonRead(info, example)),
  ];
  return lines.join('\n');
}

function urlopen(info: OperationInfo, example: RequestExample): string {
  const address = addressOf(info.path, example);
  if (info.body !== 'token')
    return `from urllib.request import urlopen\n\nwith urlopen("${address}") as answer:\n    print(answer.status, answer.read())`;
  return [
    'import base64, os',
    'from urllib.request import Request, urlopen',
    '',
    "client = f\"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}\"",
    'basic = base64.b64encode(client.encode()).decode()',
    `request = Request("${address}", b"grant_type=client_credentials", {"authorization": f"Basic {basic}"})`,
    'with urlopen(request) as answer:',
    '    print(answer.status, answer.read())',
  ].join('\n');
}

function argumentsOf({ path, query }: RequestExample): string {
  const members = Object.entries(path).map(([name, value]) => `, ${name}=${JSON.stringify(value)}`);
  const search = Object.keys(query).length > 0 ? `, query=${literal(query, 'python')}` : '';
  return `${search}${members.join('')}`;
}

function pythonRead(info: OperationInfo, example: RequestExample): string[] {
  const { isPaged, pattern } = wordsOf(info);
  const call = `("${pattern}"${argumentsOf(example)})`;
  if (isPaged) return [`for one in ledger.list${call}:`, '    print(one["data"])'];
  return [`answer = ledger.get${call}`, 'print(answer["data"])'];
}

function pythonChange(info: OperationInfo, example: RequestExample): string[] {
  const { record, pattern } = wordsOf(info);
  const { data = {}, custom = {} } = example;
  const members = argumentsOf(example);
  const outer = argumentsOf({ path: outerOf(example), query: {} });
  const reading = `record = ledger.get("${record}"${members})`;
  const text = literal(data, 'python');
  switch (info.body) {
    case 'create':
      return [
        `record = ledger.create("${pattern}", ${text}${members})`,
        'print(record["luid"], record["meta"]["status"])',
      ];
    case 'update':
      return [reading, `ledger.update("${record}", record, ${text}${outer})`];
    case 'drop':
      return [reading, `ledger.drop("${record}/drop", record${outer})`];
    case 'proof':
      return [
        reading,
        `ledger.prove("${record}/proofs", record, ${literal(custom, 'python')}${outer})`,
      ];
    case 'batch':
      return batchInPython(text);
    default:
      return [`answer = ledger.post("${pattern}", ${text}${members})`, 'print(answer)'];
  }
}

function batchInPython(text: string): string[] {
  return [
    'import json, datetime',
    'from urllib.request import Request, urlopen',
    'from countersign import hash_of, prove',
    '',
    `data = ${text}`,
    'moment = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")',
    'proof = prove(hash_of(data), {"moment": moment, "status": "created"}, Key.from_file("own.key"))',
    'intent = {"hash": hash_of(data), "data": data, "meta": {"proofs": [proof]}}',
    'body = json.dumps({"mode": "atomic", "data": [intent]}).encode()',
    `request = Request("${sampleBase}/intents/!batch", body, {"content-type": "application/json"})`,
    'with urlopen(request) as answer:',
    '    print(answer.status, json.load(answer))',
  ];
}
