/** Cosignatures, the keys of witnesses, and submissions to them. C2SP tlog-cosignature, signed-note, tlog-witness. */
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sightingsOn } from '../../shared/client/witnesses.ts';
import { toBase64 } from '../../shared/log/bytes.ts';
import { checkpointText } from '../../shared/log/checkpoint.ts';
import {
  cosignatureBy,
  cosignatureLineOf,
  cosignedBytes,
  witnessOf,
} from '../../shared/log/cosignature.ts';
import {
  keyOfVkey,
  type NoteKey,
  noteOf,
  signatureLineOf,
  type VerifyBytes,
  vkeyOf,
} from '../../shared/log/note.ts';
import { knownSizeOf, submissionOf, submissionTextOf } from '../../shared/log/submission.ts';
import { parseVkey, SecondWitness, timesOf } from './second-witness.ts';

const spki = Buffer.from('302a300506032b6570032100', 'hex');
const verifying: VerifyBytes = (bytes, signature, { public: key }) => {
  const der = Buffer.concat([spki, key]);
  return verify(null, bytes, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
};

interface Pair {
  readonly key: NoteKey;
  readonly signs: (bytes: Uint8Array) => Uint8Array;
}

function pairNamed(name: string, type?: 1 | 4): Pair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    key: { name, public: key, ...(type && { type }) },
    signs: (bytes) => sign(null, bytes, privateKey),
  };
}

const log = pairNamed('countersign/$ldg.1');
const witness = pairNamed('witness.example/w1', 4);
const text = checkpointText({ origin: log.key.name, size: 7, root: new Uint8Array(32).fill(9) });
const signed = `${text}\n${signatureLineOf(log.key, log.signs(Buffer.from(text)))}`;
const lineAt = (seconds: number, of: Pair = witness) =>
  cosignatureLineOf(of.key, seconds, of.signs(cosignedBytes(text, seconds)));
const cosignedIn = (note: string, key = witness.key) => {
  const read = noteOf(note);
  return read && cosignatureBy(read, key, verifying);
};

describe('a cosignature', () => {
  test('tells when the witness saw the checkpoint', () => {
    const line = lineAt(1_679_315_147);
    expect(cosignedIn(signed + line)).toEqual({ seconds: 1_679_315_147, line });
    expect(timesOf(signed + line, vkeyOf(witness.key))).toEqual([1_679_315_147]);
  });

  test('of a second implementation is read alike', () => {
    const other = new SecondWitness(
      'second.example',
      [vkeyOf({ ...log.key, type: 1 })],
      () => 5_000,
    );
    const { status, body } = other.addCheckpoint(
      submissionTextOf({ old: 0, path: [], checkpoint: signed }),
    );
    expect(status).toBe(200);
    const key = witnessOf(other.vkey) as NoteKey;
    expect(cosignedIn(signed + body, key)).toEqual({ seconds: 5, line: body });
  });

  test('is in the signed message as the standard has it', () => {
    const example = [
      'cosignature/v1',
      'time 1679315147',
      'example.com/behind-the-sofa',
      '20852163',
      'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
    ];
    const message = cosignedBytes(example.slice(2).join('\n'), 1_679_315_147);
    expect(Buffer.from(message).toString()).toBe(example.join('\n'));
  });

  test('of a time that no moment of four digits of a year has is none', () => {
    const last = 253_402_300_799;
    expect(cosignedIn(signed + lineAt(last))).toMatchObject({ seconds: last });
    const vkey = vkeyOf(witness.key);
    const { seen } = sightingsOn(signed + lineAt(last), [vkey], verifying);
    expect(seen).toEqual([{ witness: witness.key.name, moment: '9999-12-31T23:59:59.000Z' }]);
    for (const seconds of [last + 1, 2 ** 50]) {
      const { faults } = sightingsOn(signed + lineAt(seconds), [vkey], verifying);
      expect(faults).toEqual([`The witness ${witness.key.name} has not cosigned the checkpoint.`]);
    }
  });

  test('of which one does not verify is none', () => {
    const wrong = cosignatureLineOf(witness.key, 8, witness.signs(cosignedBytes(text, 9)));
    expect(cosignedIn(signed + wrong)).toBeUndefined();
    expect(cosignedIn(signed + lineAt(7) + wrong)).toBeUndefined();
    expect(cosignedIn(signed + lineAt(7) + lineAt(9))?.seconds).toBe(9);
  });

  test('is that of its own witness, and of no plain signature', () => {
    const other = pairNamed('witness.example/w1', 4);
    expect(cosignedIn(signed + lineAt(7, other))).toBeUndefined();
    expect(cosignedIn(signed)).toBeUndefined();
    const plain = signatureLineOf({ ...witness.key, type: 1 }, witness.signs(Buffer.from(text)));
    expect(cosignedIn(signed + plain)).toBeUndefined();
    const short = signatureLineOf(witness.key, witness.signs(Buffer.from(text)));
    expect(cosignedIn(signed + short)).toBeUndefined();
    const late = cosignatureLineOf(
      witness.key,
      2 ** 53,
      witness.signs(cosignedBytes(text, 2 ** 53)),
    );
    expect(cosignedIn(signed + late)).toBeUndefined();
  });
});

describe('a vkey', () => {
  test.each([undefined, 1, 4] as const)('names a key of the type %s', (type) => {
    const { key } = pairNamed('a.example/w+'.slice(0, -1), type);
    expect(keyOfVkey(vkeyOf(key))).toEqual({
      ...key,
      public: Uint8Array.from(key.public),
      type: type ?? 1,
    });
    expect(parseVkey(vkeyOf(key))).toMatchObject({ name: 'a.example/w', type: type ?? 1 });
  });

  test('is refused when a part of it is another', () => {
    const vkey = vkeyOf(witness.key);
    const [name = '', id = ''] = vkey.split('+');
    const typed = vkey.slice(name.length + id.length + 2);
    const unknown = toBase64(Uint8Array.of(6, ...witness.key.public));
    // The example of C2SP signed-note, whose id has letters.
    const lettered = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(keyOfVkey(lettered)).toBeDefined();
    for (const wrong of [
      '',
      `other+${id}+${typed}`,
      `${name}+00000000+${typed}`,
      lettered.replace('c74f20a3', 'C74F20A3'),
      `${name}+${id}+${typed.slice(4)}`,
      `${name}+${id}+${unknown}`,
      `${name} +${id}+${typed}`,
      // Not the one spelling of its bytes.
      `${name}+${id}+${typed}A`,
    ])
      expect(keyOfVkey(wrong), wrong).toBeUndefined();
    expect(witnessOf(vkey)).toBeDefined();
    expect(witnessOf(vkeyOf(log.key))).toBeUndefined();
  });
});

describe('a submission', () => {
  const hashes = fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 63 });

  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), hashes, (old, path) => {
        const submission = { old, path, checkpoint: signed };
        expect(submissionOf(submissionTextOf(submission))).toEqual(submission);
      }),
    );
  });

  test.each([
    ['', 'no size'],
    ['old\n\nnote', 'no digits'],
    ['old 01\n\nnote', 'a zero in front'],
    ['old 9007199254740993\n\nnote', 'more than is exact'],
    ['old 1\nno hash\n\nnote', 'a line that is no hash'],
    ['old 1\nnote', 'no empty line'],
    [
      submissionTextOf({ old: 1, path: Array(64).fill(new Uint8Array(32)), checkpoint: '' }),
      '64 lines',
    ],
  ])('%j is none: %s', (body) => {
    expect(submissionOf(body)).toBeUndefined();
  });

  test('is answered with the known size', () => {
    expect([knownSizeOf('0\n'), knownSizeOf('20852014\n')]).toEqual([0, 20_852_014]);
    for (const wrong of ['', '7', '07\n', '-1\n', 'x\n'])
      expect(knownSizeOf(wrong)).toBeUndefined();
  });
});
