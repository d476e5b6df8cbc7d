import type { Tx } from '../../../db/transaction.ts'

export type Attempt = NonNullable<Awaited<ReturnType<typeof findAttempt>>>

export function findAttempt(tx: Tx, accountId: string, id: string) {
  return tx
    .selectFrom('billing_attempts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function findOpenAttempt(tx: Tx, accountId: string) {
  return tx
    .selectFrom('billing_attempts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('state', 'in', ['started', 'action_required'])
    .executeTakeFirst()
}

/** The newest attempt, in any state. */
export function findLastAttempt(tx: Tx, accountId: string) {
  return tx
    .selectFrom('billing_attempts')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds the account's attempt of a payment object. */
export function findAttemptByIntent(
  tx: Tx,
  accountId: string,
  kind: 'payment_intent_id' | 'setup_intent_id',
  intent: string,
) {
  return tx
    .selectFrom('billing_attempts')
    .selectAll()
    .where('account_id', '=', accountId)
    .where(kind, '=', intent)
    .executeTakeFirst()
}

/** The token of the card that was charged last. */
export async function findLastCard(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('billing_attempts')
    .select('card_token')
    .where('account_id', '=', accountId)
    .where('state', '=', 'done')
    .where('card_token', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.card_token ?? null
}

/** The promotion code that the plan in force was chosen with. */
export async function findLastCode(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('billing_attempts')
    .select('promotion_code')
    .where('account_id', '=', accountId)
    .where('state', '=', 'done')
    .where('kind', '!=', 'card')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.promotion_code ?? null
}

export type NewAttempt = Pick<
  Attempt,
  | 'id'
  | 'account_id'
  | 'user_id'
  | 'plan'
  | 'seats'
  | 'trial_days'
  | 'card_token'
  | 'network'
  | 'busy_until'
  | 'created_at'
> &
  Partial<Pick<Attempt, 'kind' | 'from_plan' | 'provider_sub_id' | 'proration_date' | 'promotion_code'>> &
  Partial<Pick<Attempt, 'quoted_amount' | 'quoted_currency' | 'quoted_state'>>

export async function insertAttempt(tx: Tx, row: NewAttempt): Promise<Attempt> {
  return tx
    .insertInto('billing_attempts')
    .values({ ...row, state: 'started', updated_at: row.created_at })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type AttemptChange = Partial<
  Pick<
    Attempt,
    | 'state'
    | 'promotion_id'
    | 'quoted_invoices'
    | 'card_id'
    | 'old_card_id'
    | 'replaced_at'
    | 'provider_sub_id'
    | 'setup_intent_id'
    | 'payment_intent_id'
    | 'busy_until'
  >
> & { updated_at: Date }

/** Changes an open attempt; one that has ended stays as it is. */
export async function updateAttempt(
  tx: Tx,
  attempt: { account_id: string; id: string },
  change: AttemptChange,
) {
  await open(tx, attempt).set(change).execute()
}

/** @returns whether this call was the first to mark it */
export async function markReplaced(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  replaced_at: Date,
): Promise<boolean> {
  const rows = await tx
    .updateTable('billing_attempts')
    .set({ replaced_at })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('replaced_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** @returns whether this call ended it */
export async function endAttempt(
  tx: Tx,
  attempt: { account_id: string; id: string },
  change: { state: 'done' | 'failed'; failure: string | null; updated_at: Date },
): Promise<boolean> {
  const rows = await open(tx, attempt)
    .set({ ...change, busy_until: null })
    .returning('id')
    .execute()
  return rows.length > 0
}

const open = (tx: Tx, { account_id, id }: { account_id: string; id: string }) =>
  tx
    .updateTable('billing_attempts')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('state', 'in', ['started', 'action_required'])

/** Releases the leases of dead processes. */
export async function releaseAllLeases(tx: Tx) {
  await tx
    .updateTable('billing_attempts')
    .set({ busy_until: null })
    .where('busy_until', 'is not', null)
    .execute()
}

export type OpenAttempt = { id: string; account_id: string }

/** Open attempts of all accounts, page by page in the order of their ids. */
export function findOpenAttempts(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<OpenAttempt[]> {
  return tx
    .selectFrom('billing_attempts')
    .select(['id', 'account_id'])
    .where('state', 'in', ['started', 'action_required'])
    .$if(after !== null, query => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * Claims a card's only trial. Two concurrent claims wait for each other.
 * @returns false when another account has had it
 */
export async function claimTrial(
  tx: Tx,
  row: { fingerprint_hash: Buffer; account_id: string; created_at: Date },
): Promise<boolean> {
  await tx
    .insertInto('trial_cards')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const holder = await tx
    .selectFrom('trial_cards')
    .select('account_id')
    .where('fingerprint_hash', '=', row.fingerprint_hash)
    .executeTakeFirstOrThrow()
  return holder.account_id === row.account_id
}

export async function releaseTrial(tx: Tx, accountId: string) {
  await tx.deleteFrom('trial_cards').where('account_id', '=', accountId).execute()
}
