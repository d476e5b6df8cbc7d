import { setTimeout as pause } from 'node:timers/promises'
import type { Quote } from '@plinth/contract'
import { type PlanId, planOf } from '@plinth/contract/plans'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { AuthedContext, Services, Tx } from '../../../context.ts'
import { countMembers, lockAccount } from '../../../identity/account-store.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as attempts from '../core/attempt-store.ts'
import { isLive, isRunning, isSamePromotionCode, seatsFor } from '../core/rules.ts'
import * as store from '../core/store.ts'
import { hasSameQuote, quotedColumns } from '../prices/quote.ts'

export type PaidPlan = Exclude<PlanId, 'free'>
export type Choice = {
  plan: PaidPlan
  token: string | null
  /** A promotion code. */
  code: string | null
  /** The price that the person agreed to. */
  quote: Quote | null
  /** The browser has been to the bank with one of our own payment objects. */
  confirmed: boolean
}

type Attempt = attempts.Attempt
export type Turn =
  | { kind: 'standing'; status: string }
  | { kind: 'refused'; code: RefusalCode }
  | { kind: 'drive'; attempt: Attempt }
  | { kind: 'replace'; attempt: Attempt }

/**
 * A turn lasts this long and is held on to while its owner works, so that one who died is missed within seconds.
 */
const turnMs = 10_000
const beatMs = 3000
/** How long a second call waits, looking so often. Something is left then of the time in which it is answered. */
const patienceMs = 7000
const lookMs = 150

/**
 * Waits until nobody else works on the account's payment, then says what there is to do. A double click thus ends
 * in the first click's result (T-62).
 */
export function acquireLease(ctx: AuthedContext, choice: Choice): Promise<Turn> {
  const waited: Waited = { for: null }
  return retryUntilFree(() => ctx.within(tx => decide(ctx, tx, choice, waited)))
}

/** The attempt for its own wish that a call found somebody else at work on. */
export type Waited = { for: string | null }

/** @param ask answers busy while somebody else has the turn */
export async function retryUntilFree<T>(ask: () => Promise<T | 'busy'>): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer !== 'busy') return answer
    if (performance.now() > until) throw new Refusal('operation_in_flight', { retryAfter: 5 })
    await pause(lookMs)
  }
}

/** Works on an attempt whose turn one has, holds on to it meanwhile, and lets the next one have it. */
export async function withLease<T>(services: Services, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  let beating: Promise<unknown> = Promise.resolve()
  const beat = setInterval(() => {
    // A beat that fails is not missed: the next one comes before the turn is over.
    beating = beating.then(() =>
      services.withinAccount(attempt.account_id, tx => extendLease(services, tx, attempt)).catch(() => {}),
    )
  }, beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    // One that is under way would take the turn again after it was given back.
    await beating
    await services.withinAccount(attempt.account_id, tx =>
      attempts.updateAttempt(tx, attempt, { busy_until: null, updated_at: services.now() }),
    )
  }
}

async function decide(ctx: AuthedContext, tx: Tx, choice: Choice, waited: Waited): Promise<Turn | 'busy'> {
  const account = invariant(await lockAccount(tx, ctx.actor.account_id, ctx.actor.user_id), 'the account')
  const known = await store.findSubscription(tx, account.id)
  if (known && isLive(known)) {
    // A card for a plan whose payment is due is not for us to drop in silence: nothing here would charge it.
    const unused = choice.token !== null && !isRunning(known.status)
    // Nor is a code that takes nothing off any more.
    const late =
      choice.code !== null && !isSamePromotionCode(choice.code, await attempts.findLastCode(tx, account.id))
    if (known.plan === choice.plan && !unused && !late) return { kind: 'standing', status: known.status }
    throw new Refusal('plan_taken', { field: 'plan' })
  }
  const open = await attempts.findOpenAttempt(tx, account.id)
  if (open) {
    const isSame = isFor(open, choice)
    if (open.busy_until && open.busy_until > ctx.now()) {
      if (isSame) waited.for = open.id
      return 'busy'
    }
    const attempt = { ...open, busy_until: await extendLease(ctx, tx, open) }
    return { kind: isSame ? 'drive' : 'replace', attempt }
  }
  const code = await refusedMeanwhile(ctx, tx, waited, last => isFor(last, choice))
  if (code) return { kind: 'refused', code }
  if (!choice.token) throw new Refusal('card_required', { field: 'token' })
  return { kind: 'drive', attempt: await begin(ctx, tx, account, { ...choice, token: choice.token }) }
}

const isFor = (attempt: Attempt, choice: Choice) =>
  attempt.kind === 'first' &&
  attempt.plan === choice.plan &&
  (choice.confirmed || isSamePromotionCode(choice.code, attempt.promotion_code)) &&
  (choice.confirmed || hasSameQuote(attempt, choice.quote)) &&
  (choice.confirmed || !choice.token || choice.token === attempt.card_token)

/**
 * How the attempt for the very same wish came to nothing, if that was after this call came: a double click asks the
 * bank once (T-62), also when its second half is looked at late. Under the account's lock, while no attempt is open.
 *
 * Two servers' clocks differ, and one may be set back: whoever waited for an attempt needs no clock to know how it
 * ended, and what ended in time to come is nobody's meanwhile.
 */
export async function refusedMeanwhile(
  ctx: { actor: { account_id: string }; request: { startedAt: Date }; now(): Date },
  tx: Tx,
  waited: Waited,
  isSame: (attempt: Attempt) => boolean,
): Promise<RefusalCode | null> {
  const { account_id } = ctx.actor
  const own = waited.for === null ? null : await attempts.findAttempt(tx, account_id, waited.for)
  const told = own && refusalOf(own)
  if (told) return told
  const last = await attempts.findLastAttempt(tx, account_id)
  if (!last || !isSame(last)) return null
  const isMeanwhile = last.updated_at > ctx.request.startedAt && last.updated_at <= ctx.now()
  return isMeanwhile ? refusalOf(last) : null
}

/** What somebody said no with. One that was cut off and taken back was refused by nobody: the next may well succeed. */
const refusalOf = ({ failure }: Attempt): RefusalCode | null =>
  failure === 'payment_provider_down' ? null : (failure as RefusalCode | null) // as: only undo writes it, from a code

/** Written before the provider hears anything, together with the job that looks after it if this process dies. */
async function begin(
  ctx: AuthedContext,
  tx: Tx,
  account: { id: string; trialed_at: Date | null },
  { plan: id, token, code, quote }: Choice & { token: string },
) {
  const plan = planOf(id)
  return openAttempt(ctx, tx, {
    plan: id,
    seats: seatsFor(plan, await countMembers(tx, account.id)),
    trial_days: account.trialed_at ? 0 : plan.trial_days,
    card_token: token,
    promotion_code: code,
    ...quotedColumns(quote),
  })
}

type Wanted = Omit<
  attempts.NewAttempt,
  'id' | 'account_id' | 'user_id' | 'network' | 'busy_until' | 'created_at'
>

/** Opens an attempt whose turn one has. Under the account's lock, and only while no other is open. */
export async function openAttempt(ctx: AuthedContext, tx: Tx, wanted: Wanted): Promise<Attempt> {
  const now = ctx.now()
  const { account_id, user_id } = ctx.actor
  const attempt = await attempts.insertAttempt(tx, {
    ...wanted,
    id: newId(now.getTime()),
    account_id,
    user_id,
    network: ctx.request.network,
    busy_until: new Date(now.getTime() + turnMs),
    created_at: now,
  })
  const data = { account_id, attempt_id: attempt.id }
  await ctx.enqueue(tx, 'billing.settle', data, {
    afterSeconds: ctx.config.settleAfterSeconds,
    key: attempt.id,
  })
  return attempt
}

export async function extendLease(services: Services, tx: Tx, attempt: Attempt): Promise<Date> {
  const now = services.now()
  const busy_until = new Date(now.getTime() + turnMs)
  await attempts.updateAttempt(tx, attempt, { busy_until, updated_at: now })
  return busy_until
}

/** Takes an open attempt's turn without waiting. @returns null when it has ended */
export function leaseOpenAttempt(
  services: Services,
  by: { account_id: string; attempt_id: string },
): Promise<Attempt | 'busy' | null> {
  return services.withinAccount(by.account_id, async tx => {
    // Closed since the job was sent.
    if (!(await lockAccount(tx, by.account_id))) return null
    const open = await attempts.findAttempt(tx, by.account_id, by.attempt_id)
    if (!open || open.state === 'done' || open.state === 'failed') return null
    if (open.busy_until && open.busy_until > services.now()) return 'busy'
    return { ...open, busy_until: await extendLease(services, tx, open) }
  })
}

/** Open attempts that one transaction sends jobs for. */
const resumedAtOnce = 200

/**
 * After a start every open attempt is looked at soon: the job that was to do so may have died in the middle. Its own
 * key lets that one job go ahead of a later look that waits; what follows it falls together with that look.
 * @param alone no other process can have this database open, so whoever held a turn is dead
 */
export async function requeueAttempts(services: Services, alone: boolean) {
  const why = 'attempts to pay that a stop cut off'
  if (alone) await services.asSystem(why, tx => attempts.releaseAllLeases(tx))
  for (let after: string | null = null; ; ) {
    const open: attempts.OpenAttempt[] = await services.asSystem(why, async tx => {
      const found = await attempts.findOpenAttempts(tx, { after, limit: resumedAtOnce })
      for (const { id, account_id } of found) {
        const data = { account_id, attempt_id: id }
        const afterSeconds = services.config.settleAfterSeconds
        await services.enqueue(tx, 'billing.settle', data, { afterSeconds, key: `start ${id}` })
      }
      return found
    })
    if (open.length < resumedAtOnce) return
    after = open.at(-1)?.id ?? null
  }
}

/** A payment object that a browser names must be of an attempt of this very account (T-61). */
export async function assertOwnIntents(
  ctx: AuthedContext,
  named: { payment_intent?: string | undefined; setup_intent?: string | undefined },
): Promise<{ confirmed: boolean; failure: RefusalCode | null }> {
  const kinds = { payment_intent: 'payment_intent_id', setup_intent: 'setup_intent_id' } as const
  let attempt: Attempt | undefined
  for (const field of ['payment_intent', 'setup_intent'] as const) {
    const intent = named[field]
    if (!intent) continue
    attempt = await ctx.within(tx =>
      attempts.findAttemptByIntent(tx, ctx.actor.account_id, kinds[field], intent),
    )
    if (!attempt)
      throw new Refusal('invalid_input', {
        field,
        text: 'form.invalid',
        values: { label: ctx.t(`fields.${field}`) },
      })
  }
  const failure = attempt?.state === 'failed' ? (attempt.failure as RefusalCode) : null // as: only undo writes it, from a code
  return { confirmed: attempt !== undefined, failure }
}
