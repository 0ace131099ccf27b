/**
 * Model banks behind bridges, in virtual time: each answers a call with 202, does what it was asked, and reports it
 * until the ledger has heard.
 */
import type { AttemptPorts } from '../../shared/delivery/attempted.ts';
import { type Bank, banks, reportOf, reportsPathOf } from '../bench/payment-scene.ts';
import type { Item } from '../fixture/client.ts';
import type { VirtualClock } from './clock.ts';
import type { CloudLedger } from './ledger.ts';
import { bank as times } from './parameters.ts';
import { drawn, type Random } from './random.ts';

/** What is said of an intent in the answer to a report. */
export type OnStatus = (intent: string, status: string) => void;

interface BankWorld {
  readonly clock: Pick<VirtualClock, 'sleep'>;
  readonly random: Random;
  /** The part of the entries that banks refuse to prepare. */
  readonly refusing?: number;
}

interface Called {
  readonly bank: Bank;
  readonly entry: string;
  readonly intent: Item;
  readonly says: 'prepared' | 'failed' | 'committed' | 'aborted';
}

/** The pause of a bank that was not heard. */
const againMs = 1_000;

/** The banks; they speak to the ledger that they are connected to. */
export function newBanks({ clock, random, refusing = 0 }: BankWorld) {
  let post: CloudLedger['post'] | undefined;
  let onStatus: OnStatus = () => {};
  let owedCount = 0;

  const report = async ({ bank, entry, intent, says }: Called): Promise<void> => {
    owedCount += 1;
    await clock.sleep(drawn(times.works, random));
    const name = String(intent.data['handle']);
    const proof = reportOf(bank, intent.hash, entry, says);
    for (let isHeard = false; !isHeard; ) {
      const answer = await post?.(reportsPathOf(name), proof);
      isHeard = answer !== undefined && !isPassing(answer.status);
      if (!isHeard) await clock.sleep(againMs * (0.5 + random()));
      else onStatus(name, String((answer?.body['meta'] as Item['meta'] | undefined)?.status));
    }
    owedCount -= 1;
  };
  const send: AttemptPorts['send'] = async ({ method, endpoint, body }) => {
    await clock.sleep(drawn(times.answers, random));
    const called = method === 'GET' ? undefined : calledIn(endpoint, String(body));
    const isRefused = called?.says === 'prepared' && refusing > 0 && random() < refusing;
    if (called) void report(isRefused ? { ...called, says: 'failed' } : called);
    return { kind: 'answered', status: 202 };
  };
  return {
    send,
    /** The reports that the ledger has not heard yet. */
    owedCount: () => owedCount,
    connect: (ledger: Pick<CloudLedger, 'post'>, listener: OnStatus): void => {
      post = ledger.post;
      onStatus = listener;
    },
  };
}

/** True for an answer after which the same request may succeed. */
export function isPassing(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** The entry that a call is about; undefined for a call that asks for nothing. */
function calledIn(endpoint: string, body: string): Called | undefined {
  const { hostname, pathname } = new URL(endpoint);
  const bank = banks.find(({ name }) => hostname.startsWith(name));
  const { handle, intent } = (JSON.parse(body) as Item).data as unknown as {
    readonly handle: string;
    readonly intent?: Item;
  };
  if (!bank || !intent) return undefined;
  const verb = pathname.split('/').at(-1);
  const ends = { commit: 'committed', abort: 'aborted' } as const;
  const says = verb === 'commit' || verb === 'abort' ? ends[verb] : 'prepared';
  return { bank, entry: handle, intent, says };
}
