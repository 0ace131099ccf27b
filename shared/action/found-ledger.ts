/** Creation of a ledger: its record, its signers `system` and `log` and their keys, in one commit. Ruling 24. */
import { isGoverned } from '../access/rule-sources.ts';
import { hashOf } from '../crypto/digest.ts';
import { createSeed, privateKeyOf, publicOf } from '../crypto/key.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import { rulesOfKey } from '../ledger/rule-source.ts';
import type { Identity, Services } from '../port/action.ts';
import { acceptedProofs, type Draft } from '../record/author.ts';
import { creation, firstVersion } from '../record/birth.ts';
import { commitDecided, newToken } from '../record/commit.ts';
import { logSignerWrite } from '../record/log-signer.ts';
import { readerOf } from '../record/reader.ts';
import { systemSigner } from '../record/sign.ts';

/**
 * Returns the default ledger, and creates it when it does not exist. With `owner` it is closed to everyone but the
 * owner of that key; without, it is open. Throws when it exists and is open although an owner is given, and while it is
 * being imported. Ruling 25, Decision 75.
 */
export async function foundDefaultLedger(services: Services, owner?: string): Promise<Identity> {
  const handle = services.settings.defaultLedger;
  const present = await services.identityOf(handle);
  if (present) {
    if (owner !== undefined) await assertClosed(services, handle);
    return present;
  }
  await assertNotImporting(services, handle);
  const data = { handle, ...(owner !== undefined && { access: rulesOfKey(owner) }) };
  await foundLedger(services, { hash: hashOf(data), data, proofs: [] }, []);
  const made = await services.identityOf(handle);
  if (!made) throw new Error(`The default ledger ${handle} was made and cannot be read.`);
  return made;
}

/** True for a ledger in which everybody may do everything. Ruling 25. */
export async function isOpen({ store }: Pick<Services, 'store'>, handle: string): Promise<boolean> {
  const reader = readerOf(store, handle);
  const [home, rulebook] = await Promise.all([reader.home(), reader.rulebook()]);
  return !isGoverned({ home, rulebook });
}

/** An operator who names an owner expects a closed ledger, so an open one is an error. */
async function assertClosed(services: Services, handle: string): Promise<void> {
  if (await isOpen(services, handle))
    throw new Error(
      `The ledger ${handle} is there already, and open to everyone. Lay down its first rule, or go on without an owner.`,
    );
}

/** During an import, the record of a ledger exists before its key. Decision 72. */
async function assertNotImporting({ store, identityOf }: Services, handle: string): Promise<void> {
  const home = await readerOf(store, handle).home();
  // This order matters: a ledger that is created meanwhile has both.
  if (home && !(await identityOf(handle)))
    throw new Error(
      `An import of the ledger ${handle} has not ended; go on with \`countersign import <file> --resume\`.`,
    );
}

/** Creates a ledger and returns its record. Refuses with `record.duplicated` a taken handle or a replayed signature. */
export async function foundLedger(
  services: Services,
  draft: Draft,
  witnesses: readonly Identity[],
): Promise<LedgerRecord> {
  const { handle } = draft.data;
  const seed = createSeed();
  const wrapped = await services.keyring.wrap(seed, handle);
  const key = { public: publicOf(seed), privateKey: privateKeyOf(seed) };
  const own: Identity = { handle, key };
  // Other ledgers may read this record, so it names nobody's signers. Decision 4.
  const authored = acceptedProofs(draft.proofs, new Map());
  return commitDecided(services, async () => {
    const version = firstVersion(services, 'ledger', draft, authored, [own, ...witnesses]);
    const signer = systemVersion(services, own);
    const writes = [
      creation('', version, authored),
      { ...creation(handle, signer, []), holds: [key.public] },
      await logSignerWrite(services, own),
    ];
    const secrets = [{ scope: handle, public: key.public, wrapped }];
    return { commit: { token: newToken(), writes, secrets }, result: version.record };
  });
}

/** The `system` signer of the ledger, signed by the ledger alone. */
function systemVersion(services: Services, identity: Identity) {
  const data = { handle: systemSigner, public: identity.key.public, format: 'ed25519-raw' };
  return firstVersion(services, 'signer', { hash: hashOf(data), data }, [], [identity]);
}
