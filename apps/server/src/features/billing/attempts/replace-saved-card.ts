import type { Services } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import { clearCardCache, tryCard } from '../core/saved-card.ts'
import * as store from '../core/store.ts'
import { recordCardChange } from '../mails/notify.ts'
import { confirmCard, customerOf, isWrongToken, saveProgress } from './first-plan.ts'
import { type Outcome, rollback } from './rollback.ts'

type Attempt = attempts.Attempt
type Put = { attempt: Attempt } | { outcome: Outcome }

/**
 * Puts an attempt's card in the place of the one that is charged. May be repeated from any point.
 * @param confirm whether the bank is asked first; not where a charge follows at once, which asks it itself
 */
export async function putCard(services: Services, attempt: Attempt, confirm: boolean): Promise<Put> {
  const customer = await customerOf(services, attempt)
  const saved = attempt.card_id ? { attempt } : await attach(services, attempt, customer)
  if ('outcome' in saved) return saved
  const halt = confirm ? await confirmCard(services, saved.attempt) : null
  if (halt) return { outcome: halt }
  const card = invariant(saved.attempt.card_id, 'the card')
  try {
    await services.outside.payments.setChargedCard(customer, attempt.provider_sub_id, card)
  } catch (error) {
    if (!isPaymentsError(error, 'missing') || error.param === 'customer') throw error
    // Somebody was about to take this attempt back and died when the card had gone.
    return { outcome: await rollback(services, attempt, 'payment_not_authorized') }
  }
  crashPoint('replace_card:after_provider_update')
  await clearCardCache(services, attempt.account_id)
  return { attempt: await markReplaced(services, saved.attempt) }
}

async function attach(services: Services, attempt: Attempt, customer: string): Promise<Put> {
  const { payments } = services.outside
  const old_card_id = await payments.chargedCardId(customer, attempt.provider_sub_id)
  try {
    const card = await payments.saveCard(customer, invariant(attempt.card_token, 'a card'), attempt.id)
    return { attempt: await saveProgress(services, attempt, { card_id: card.id, old_card_id }) }
  } catch (error) {
    if (!isWrongToken(error)) throw error
    return { outcome: await rollback(services, attempt, 'invalid_input') }
  }
}

/** A card for its own sake is noted and told now; one that comes with a plan, when that is in force. */
async function markReplaced(services: Services, attempt: Attempt): Promise<Attempt> {
  const replaced_at = services.now()
  const card = attempt.kind === 'card' ? await tryCard(services, attempt.account_id) : null
  await services.withinAccount(attempt.account_id, async tx => {
    const first = await attempts.markReplaced(tx, attempt, replaced_at)
    if (!first || attempt.kind !== 'card') return
    const account = await store.findAccount(tx, attempt.account_id)
    await recordCardChange(
      services,
      tx,
      account,
      { user_id: attempt.user_id, network: attempt.network },
      card,
    )
  })
  return { ...attempt, replaced_at }
}

/** Lets go of every card but the attempt's own, once that is the one to stay. */
export async function dropOthers(services: Services, attempt: Attempt): Promise<void> {
  if (!attempt.card_id) return
  const { payments } = services.outside
  for (const card of await payments.savedCards(await customerOf(services, attempt)))
    if (card !== attempt.card_id) await payments.detachCard(card)
}
