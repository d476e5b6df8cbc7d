import type { Services } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import * as attempts from '../core/attempt-store.ts'
import { clearAccountCardCache, tryReadCard } from '../core/saved-card.ts'
import { findAccount } from '../core/store.ts'
import { recordCardChange } from '../mails/notify.ts'
import { confirmCard, customerOf, isWrongToken, saveProgress } from './progress.ts'
import { refuse } from './rollback.ts'
import type { StepResult } from './step.ts'

type Attempt = attempts.Attempt

/**
 * Makes the attempt's card the charged one. Can be repeated from any point.
 * @param asksBank false when a charge follows at once, which asks the bank itself
 */
export async function putCard(services: Services, attempt: Attempt, asksBank: boolean): Promise<StepResult> {
  const customer = await customerOf(services, attempt)
  const saved = attempt.card_id ? { attempt } : await attachCard(services, attempt, customer)
  if ('outcome' in saved) return saved
  const halt = asksBank ? await confirmCard(services, saved.attempt) : null
  if (halt) return { outcome: halt }
  const card = invariant(saved.attempt.card_id, 'the card')
  try {
    await services.integrations.payments.setChargedCard(customer, attempt.provider_sub_id, card)
  } catch (error) {
    if (!isPaymentsError(error, 'missing') || error.param === 'customer') throw error
    // A rollback of this attempt crashed after it had detached the card.
    return refuse(services, attempt, 'payment_not_authorized')
  }
  await clearAccountCardCache(services, attempt.account_id)
  return { attempt: await markReplaced(services, saved.attempt) }
}

async function attachCard(services: Services, attempt: Attempt, customer: string): Promise<StepResult> {
  const { payments } = services.integrations
  const old_card_id = await payments.chargedCardId(customer, attempt.provider_sub_id)
  try {
    const card = await payments.saveCard(customer, invariant(attempt.card_token, 'a card'), attempt.id)
    return { attempt: await saveProgress(services, attempt, { card_id: card.id, old_card_id }) }
  } catch (error) {
    if (!isWrongToken(error)) throw error
    return refuse(services, attempt, 'invalid_input')
  }
}

/** A card change is recorded and mailed now; a card that comes with a plan change, when the new plan is in force. */
async function markReplaced(services: Services, attempt: Attempt): Promise<Attempt> {
  const replaced_at = services.now()
  const card = attempt.kind === 'card' ? await tryReadCard(services, attempt.account_id) : null
  await services.withinAccount(attempt.account_id, async tx => {
    const isFirst = await attempts.markReplaced(tx, attempt, replaced_at)
    if (!isFirst || attempt.kind !== 'card') return
    const account = await findAccount(tx, attempt.account_id)
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

/** Detaches every card of the customer but the attempt's own. */
export async function detachOtherCards(services: Services, attempt: Attempt): Promise<void> {
  if (!attempt.card_id) return
  const { payments } = services.integrations
  for (const card of await payments.savedCards(await customerOf(services, attempt)))
    if (card !== attempt.card_id) await payments.detachCard(card)
}
