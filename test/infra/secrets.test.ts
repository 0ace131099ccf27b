/**
 * Goal: no secret is in the template, and so in none of what CloudFormation keeps of it: no environment
 * variable, description, parameter, output or name.
 */
import { expect, test } from 'vitest';
import { functionsOf, owner, resourcesOf, templateOf } from './template.ts';

const template = templateOf({
  alarmEmail: 'duty@bank.example',
  outgoingHosts: 'hooks.example',
  allowedOrigins: 'https://app.bank.example',
});

/** Every text of the template, and where it stands. */
function* textsIn(value: unknown, place = ''): Generator<readonly [place: string, text: string]> {
  if (typeof value === 'string') yield [place, value];
  for (const [name, inner] of Object.entries(Object(value) as object))
    if (typeof value === 'object') yield* textsIn(inner, `${place}/${name}`);
}
const texts = [...textsIn(template.toJSON())];

/** What secrets look like: keys of AWS, PEM, tokens, seeds and signatures. */
const forms = [
  /AKIA[0-9A-Z]{16}/,
  /-----BEGIN/,
  /eyJ[\w-]{10,}\./,
  /(^|[^\w+/])[A-Za-z0-9+/]{43}=($|[^=])/,
  /(^|[^\w+/])[A-Za-z0-9+/]{86}==/,
  /xox[abp]-|ghp_|sk_live/,
  /:\/\/[^/\s"]+:[^/\s"@]+@/,
];

test('nothing in the template looks like a secret but the owner, which is a public key', () => {
  expect(texts.length).toBeGreaterThan(3_000);
  const found = texts.filter(([, text]) => forms.some((form) => form.test(text)));
  expect(found.map(([place]) => place)).toEqual([
    expect.stringMatching(
      /^\/Resources\/foundFunction\w+\/Properties\/Environment\/Variables\/LEDGER_OWNER$/,
    ),
  ]);
  expect(found.map(([, text]) => text)).toEqual([owner]);
});

test('the forms know a seed, a token and a password when they see one', () => {
  const seed = Buffer.alloc(32, 7).toString('base64');
  for (const text of [seed, `x ${seed}`, 'eyJhbGciOiJFZERTQSJ9.e30.', 'https://a:b@c.example'])
    expect(forms.some((form) => form.test(text))).toBe(true);
});

test('no variable is called a secret, and there are no more of them than these', () => {
  const names = [...resourcesOf(template, 'AWS::Lambda::Function').values()].flatMap(
    ({ Properties }) => {
      const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: object };
      return Object.keys(Variables);
    },
  );
  expect([...new Set(names)].sort()).toEqual([
    'ALLOWED_ORIGINS',
    'EFFECTS_PER_SIGNAL',
    'EVENT_BUS_NAME',
    'KMS_KEY_ID',
    'LEDGER_HANDLE',
    'LEDGER_OWNER',
    'METRIC_NAMESPACE',
    'OUTGOING_HOSTS',
    'SENT_BYTES_PER_SECOND',
    'SERVER_URLS',
    'TABLE_NAME',
  ]);
  expect(functionsOf(template).size).toBeGreaterThan(20);
});

test('the template asks for no parameter that could be one', () => {
  expect(Object.keys(template.toJSON()['Parameters'] as object)).toEqual(['BootstrapVersion']);
});
