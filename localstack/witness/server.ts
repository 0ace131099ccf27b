/**
 * The witness over HTTP: `POST /add-checkpoint`. A submission is judged, kept and answered in one step of this process, so
 * that no other comes between. C2SP tlog-witness.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type SigningKey, signBytes } from '../../shared/crypto/proof.ts';
import { printable } from '../../shared/ledger/printable.ts';
import { messageOf } from '../../shared/ledger/thrown.ts';
import { cosignatureLineOf, cosignedBytes } from '../../shared/log/cosignature.ts';
import type { NoteKey } from '../../shared/log/note.ts';
import { sizeType, submissionOf } from '../../shared/log/submission.ts';
import { judged, type Refusal, type WitnessKnowledge } from './judge.ts';
import type { WitnessMemory } from './memory.ts';

export interface WitnessServerOptions {
  /** The key of the witness as notes name it, and its private half. */
  readonly key: NoteKey;
  readonly signing: SigningKey;
  readonly logs: WitnessKnowledge['keys'];
  readonly memory: WitnessMemory;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly say: (line: string) => void;
}

interface WitnessReply {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

/** 64 lines of a proof, and a checkpoint with as many signatures as are read. */
const bodyBytesMax = 64 * 1024;
const requestMsMax = 10_000;
const connectionsMax = 256;
const usualType = 'text/plain; charset=utf-8';

export function witnessServer(options: WitnessServerOptions): Server {
  const server = createServer((request, answer) => {
    replyTo(request, options).then(
      ({ status, body, type = usualType }) =>
        answer.writeHead(status, { 'content-type': type }).end(body),
      (error: unknown) => {
        options.say(`failed     ${messageOf(error)}`);
        answer.writeHead(500, { 'content-type': usualType }).end('The witness has failed.\n');
      },
    );
  });
  server.requestTimeout = requestMsMax;
  server.headersTimeout = requestMsMax;
  server.maxConnections = connectionsMax;
  return server;
}

async function replyTo(
  request: IncomingMessage,
  options: WitnessServerOptions,
): Promise<WitnessReply> {
  const { method, url } = request;
  if (url !== '/add-checkpoint')
    return { status: 404, body: 'There is only POST /add-checkpoint.\n' };
  if (method !== 'POST') return { status: 405, body: 'There is only POST /add-checkpoint.\n' };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, body: 'The body is too large.\n' };
  return answerTo(body, options);
}

function answerTo(body: string, options: WitnessServerOptions): WitnessReply {
  const { logs: keys, memory, clock, say } = options;
  const judgement = judged(body, { keys, seen: memory.seen });
  if (judgement.status !== 200) return refused(judgement, body, options);
  const { origin, size, note } = judgement.checkpoint;
  // The checkpoint is on the disk before anybody can hold its cosignature.
  memory.keep(origin, submissionOf(body)?.checkpoint ?? '');
  say(`cosigned   ${printable(origin)}: ${size} leaves`);
  return { status: 200, body: cosigned(note.text, Math.floor(clock() / 1000), options) };
}

function refused(
  refusal: Refusal,
  body: string,
  { memory, say }: WitnessServerOptions,
): WitnessReply {
  const { status, why, origin, size, isEvidence } = refusal;
  const path = isEvidence && origin !== undefined ? memory.accuse(origin, body) : undefined;
  const kept = path === undefined ? '' : ` The evidence is in ${path}.`;
  say(`refused    ${printable(origin ?? 'a request')}: ${status} ${why}${kept}`);
  return size === undefined
    ? { status, body: `${why}\n` }
    : { status, body: `${size}\n`, type: sizeType };
}

function cosigned(text: string, seconds: number, { key, signing }: WitnessServerOptions): string {
  const signature = Buffer.from(signBytes(cosignedBytes(text, seconds), signing), 'base64');
  return cosignatureLineOf(key, seconds, signature);
}

/** The body as text; undefined for one that is too large. Bytes that are no UTF-8 become text that is no submission. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // The rest is read and discarded, so that the caller receives the answer.
    if (length <= bodyBytesMax) chunks.push(chunk);
  }
  return length <= bodyBytesMax ? Buffer.concat(chunks).toString() : undefined;
}
