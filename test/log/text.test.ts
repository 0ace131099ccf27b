/** The texts of a log: tiles' paths, notes, checkpoints and proofs. C2SP tlog-tiles, signed-note, tlog-checkpoint, tlog-proof. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, toBase64 } from '../../shared/log/bytes.ts';
import { checkpointOf, checkpointText, originOf } from '../../shared/log/checkpoint.ts';
import { bundleOf } from '../../shared/log/leaf.ts';
import {
  isSignedBy,
  keyIdOf,
  type NoteKey,
  noteOf,
  signatureLineOf,
  type VerifyBytes,
} from '../../shared/log/note.ts';
import { proofOfText, proofTextOf } from '../../shared/log/proof-text.ts';
import { pathOfTile, tileOfPath, widthIn } from '../../shared/log/tile.ts';
import vectors from '../vectors/merkle.json' with { type: 'json' };

const spki = Buffer.from('302a300506032b6570032100', 'hex');
const verifying: VerifyBytes = (bytes, signature, { public: key }) => {
  const der = Buffer.concat([spki, key]);
  return verify(null, bytes, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
};
const pair = generateKeyPairSync('ed25519');
const own: NoteKey = {
  name: 'countersign/$ldg.1',
  public: pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32),
};
const signed = (text: string, key = own) =>
  `${text}\n${signatureLineOf(key, sign(null, Buffer.from(text), pair.privateKey))}`;
const hashNamed = (byte: number) => new Uint8Array(32).fill(byte);

describe('tiles', () => {
  test.each(vectors.tiles)('tile %d of number %d and width %d is at %s', (...vector) => {
    const [level, number, width, path] = vector as [number, number, number, string];
    expect(pathOfTile({ level, number, width })).toBe(path);
    expect(tileOfPath(path)).toEqual({ level, number, width, isEntries: false });
  });

  test('bundles have the paths of tiles of level 0', () => {
    const bundle = { level: 0, number: 1234, width: 7 };
    expect(pathOfTile(bundle, 'entries')).toBe('entries/x001/234.p/7');
    expect(tileOfPath('entries/x001/234.p/7')).toEqual({ ...bundle, isEntries: true });
  });

  test.each([
    '0/0',
    '0/0000',
    '00/000',
    '0/x001',
    '0/001/002',
    '0/x000/001',
    '0/000.p/0',
    '0/000.p/256',
    '0/000.p/01',
    '-1/000',
    '0/000/',
    '',
    '0',
    'entries/',
    '0/x999/x999/x999/x999/x999/x999/999',
  ])('there is no tile at %j', (path) => {
    expect(tileOfPath(path)).toBeUndefined();
  });

  test('the widths are those of the example of the standard', () => {
    const size = 70_000;
    const at = (level: number, number: number) => widthIn(size, { level, number });
    expect([at(0, 0), at(0, 272), at(0, 273), at(0, 274)]).toEqual([256, 256, 112, 0]);
    expect([at(1, 0), at(1, 1), at(1, 2)]).toEqual([256, 17, 0]);
    expect([at(2, 0), at(2, 1), at(3, 0), at(63, 0)]).toEqual([1, 0, 0, 0]);
  });

  test('a bundle has the length of each entry before it', () => {
    const long = Buffer.alloc(300, 7);
    const bundle = Buffer.from(bundleOf([Buffer.from('ab'), Buffer.of(), long]));
    expect(bundle.subarray(0, 8)).toEqual(Buffer.from([0, 2, 97, 98, 0, 0, 1, 44]));
    expect(bundle.subarray(8)).toEqual(long);
  });
});

describe('notes', () => {
  const { name, id, key, note } = vectors.note;
  const known: NoteKey = { name, public: fromBase64(key) as Uint8Array };

  test('the note of the vector is signed by its key', () => {
    expect(Buffer.from(keyIdOf(known)).toString('hex')).toBe(id);
    const read = noteOf(note);
    expect(read?.signatures.map((one) => one.id)).toEqual([id]);
    expect(read && isSignedBy(read, known, verifying)).toBe(true);
    expect(read && isSignedBy(read, own, verifying)).toBe(false);
    expect(read && isSignedBy({ ...read, text: `${read.text}x\n` }, known, verifying)).toBe(false);
  });

  test('signatures of others are left alone, a wrong one of a known key is not', () => {
    const text = 'some\n\ntext\n';
    const once = signed(text);
    const other = { ...own, name: 'other' };
    const both = `${once}${signatureLineOf(other, Buffer.alloc(64))}`;
    const read = (all: string) => noteOf(all) as NonNullable<ReturnType<typeof noteOf>>;
    expect(read(both).text).toBe(text);
    expect(read(both).signatures).toHaveLength(2);
    expect(isSignedBy(read(both), own, verifying)).toBe(true);
    const twice = `${once}${signatureLineOf(own, Buffer.alloc(64))}`;
    expect(isSignedBy(read(twice), own, verifying)).toBe(false);
  });

  test.each([
    ['no signature', 'text\n\n'],
    ['no empty line', `text\n${signatureLineOf(own, Buffer.alloc(64))}`],
    ['no line break at the end', signed('text\n').slice(0, -1)],
    ['a hyphen', signed('text\n').replace('\u2014', '-')],
    ['a name with a space', signed('text\n').replace('$ldg.1', '$ldg. 1')],
    ['a name with a plus', signed('text\n').replace('$ldg.1', '$ldg+1')],
    ['base64 that is none', signed('text\n').replace('=\n', '*\n')],
    ['a signature without bytes', 'text\n\n\u2014 name AAAAAA==\n'],
    ['a control character', signed('te\u0007xt\n')],
    ['too many signatures', `text\n\n${signatureLineOf(own, Buffer.alloc(64)).repeat(65)}`],
  ])('a text with %s is no note', (_, text) => {
    expect(noteOf(text)).toBeUndefined();
  });
});

describe('checkpoints', () => {
  const checkpoint = { origin: originOf('$ldg.1'), size: 20_852_163, root: hashNamed(3) };

  test('what is stated is read again', () => {
    const text = checkpointText(checkpoint);
    expect(text).toBe(`countersign/$ldg.1\n20852163\n${toBase64(hashNamed(3))}\n`);
    const read = checkpointOf(signed(text));
    expect(read).toMatchObject(checkpoint);
    expect(read && isSignedBy(read.note, own, verifying)).toBe(true);
    expect(checkpointOf(signed(`${text}an extension\n`))).toMatchObject(checkpoint);
  });

  test.each([
    ['a size with a zero before it', (text: string) => text.replace('\n2', '\n02')],
    ['a size that is no number', (text: string) => text.replace('\n2', '\n+2')],
    ['a size beyond all', (text: string) => text.replace('\n2', '\n99999999992')],
    ['a root of another length', (text: string) => text.replace('\nAwMD', '\n')],
    ['no root', (text: string) => text.split('\n').slice(0, 2).join('\n').concat('\n')],
    ['no origin', (text: string) => text.replace(/^.*\n/, '\n')],
    ['an empty line', (text: string) => `${text}\nmore\n`],
  ])('a text with %s is none', (_, broken) => {
    expect(checkpointOf(signed(broken(checkpointText(checkpoint))))).toBeUndefined();
  });

  test('an unsigned text is none', () => {
    expect(checkpointOf(checkpointText(checkpoint))).toBeUndefined();
  });
});

describe('proofs', () => {
  const checkpoint = signed(checkpointText({ origin: 'o', size: 9, root: hashNamed(1) }));
  const proof = { index: 8, path: [hashNamed(2), hashNamed(4)], checkpoint };

  test('what is written is read again', () => {
    expect(proofTextOf(proof)).toMatch(/^c2sp\.org\/tlog-proof@v1\nindex 8\nAgIC/);
    expect(proofOfText(proofTextOf(proof))).toEqual(proof);
    const alone = { ...proof, path: [] };
    expect(proofOfText(proofTextOf(alone))).toEqual(alone);
    const extra = proofTextOf(proof).replace('\nindex', '\nextra YWJj\nindex');
    expect(proofOfText(extra)).toEqual(proof);
  });

  test.each([
    ['another first line', (text: string) => text.replace('@v1', '@v2')],
    ['an index with a zero before it', (text: string) => text.replace('index 8', 'index 08')],
    ['no index', (text: string) => text.replace('index 8\n', '')],
    ['a hash of another length', (text: string) => text.replace('\nAgIC', '\n')],
    ['no checkpoint', (text: string) => text.slice(0, text.indexOf('\n\n'))],
  ])('a text with %s is none', (_, broken) => {
    expect(proofOfText(broken(proofTextOf(proof)))).toBeUndefined();
  });
});

test('base64 has one text for the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      expect(fromBase64(toBase64(bytes))).toEqual(Uint8Array.from(bytes));
      expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    }),
  );
  expect(['AB', 'AB==', 'AA=', ' AA==', '*'].map(fromBase64)).toEqual(Array(5).fill(undefined));
});
