import type { World } from '../../context.ts'
import { faultPoint } from '../../lib/crash-points.ts'
import { must } from '../../lib/invariant.ts'
import { isPaymentsError } from '../../integrations/stripe/payments.ts'
import { confirmCard, customerOf, isWrongToken, progress } from './attempt.ts'
import { forgetCard, tryCard } from './card.ts'
import * as store from './store.ts'
import { noteCard } from './tell.ts'
import { type Outcome, undo } from './undo.ts'

type Attempt = store.Attempt
type Put = { attempt: Attempt } | { outcome: Outcome }

/**
 * Puts an attempt's card in the place of the one that is charged. May be repeated from any point.
 * @param confirm whether the bank is asked first; not where a charge follows at once, which asks it itself
 */
export async function putCard(world: World, attempt: Attempt, confirm: boolean): Promise<Put> {
  const customer = await customerOf(world, attempt)
  const saved = attempt.card_id ? { attempt } : await attach(world, attempt, customer)
  if ('outcome' in saved) return saved
  const halt = confirm ? await confirmCard(world, saved.attempt) : null
  if (halt) return { outcome: halt }
  const card = must(saved.attempt.card_id, 'the card')
  try {
    await world.outside.payments.chargeCard(customer, attempt.provider_sub_id, card)
  } catch (error) {
    if (!isPaymentsError(error, 'missing') || error.param === 'customer') throw error
    // Somebody was about to take this attempt back and died when the card had gone.
    return { outcome: await undo(world, attempt, 'payment_not_authorized') }
  }
  faultPoint('replace_card:after_provider_update')
  await forgetCard(world, attempt.account_id)
  return { attempt: await markReplaced(world, saved.attempt) }
}

async function attach(world: World, attempt: Attempt, customer: string): Promise<Put> {
  const { payments } = world.outside
  const old_card_id = await payments.chargedCardId(customer, attempt.provider_sub_id)
  try {
    const card = await payments.saveCard(customer, must(attempt.card_token, 'a card'), attempt.id)
    return { attempt: await progress(world, attempt, { card_id: card.id, old_card_id }) }
  } catch (error) {
    if (!isWrongToken(error)) throw error
    return { outcome: await undo(world, attempt, 'invalid_input') }
  }
}

/** A card for its own sake is noted and told now; one that comes with a plan, when that is in force. */
async function markReplaced(world: World, attempt: Attempt): Promise<Attempt> {
  const replaced_at = world.now()
  const card = attempt.kind === 'card' ? await tryCard(world, attempt.account_id) : null
  await world.withinAccount(attempt.account_id, async tx => {
    const first = await store.markReplaced(tx, attempt, replaced_at)
    if (!first || attempt.kind !== 'card') return
    const account = await store.findAccount(tx, attempt.account_id)
    await noteCard(world, tx, account, { user_id: attempt.user_id, network: attempt.network }, card)
  })
  return { ...attempt, replaced_at }
}

/** Lets go of every card but the attempt's own, once that is the one to stay. */
export async function dropOthers(world: World, attempt: Attempt): Promise<void> {
  if (!attempt.card_id) return
  const { payments } = world.outside
  for (const card of await payments.savedCards(await customerOf(world, attempt)))
    if (card !== attempt.card_id) await payments.dropCard(card)
}
