import type { Services } from '../../../context.ts'
import {
  type Confirmation,
  customerGoneError,
  isPaymentsError,
} from '../../../integrations/stripe/payments.ts'
import { invariant } from '../../../lib/invariant.ts'
import { type Attempt, type AttemptChange, updateAttempt } from '../core/attempt-store.ts'
import { findAccount } from '../core/store.ts'
import { rollback } from './rollback.ts'
import type { Outcome } from './step.ts'

export async function saveProgress(
  services: Services,
  attempt: Attempt,
  change: Omit<AttemptChange, 'updated_at'>,
): Promise<Attempt> {
  await services.withinAccount(attempt.account_id, tx =>
    updateAttempt(tx, attempt, { ...change, updated_at: services.now() }),
  )
  return { ...attempt, ...change }
}

/** Metadata that links an object at the provider to its attempt. */
export const metadataOf = ({ id, account_id }: Attempt) => ({ account_id, attempt_id: id })

export async function customerOf(services: Services, { account_id }: Attempt): Promise<string> {
  const account = await services.withinAccount(account_id, tx => findAccount(tx, account_id))
  if (!account.stripe_customer_id) throw customerGoneError()
  return account.stripe_customer_id
}

/** The token names no card, or a card of another customer. */
export const isWrongToken = (error: unknown): boolean =>
  isPaymentsError(error, 'missing', 'rejected') && error.param !== 'customer'

/** Asks the bank to approve later charges of the saved card. @returns null when it did */
export async function confirmCard(services: Services, attempt: Attempt): Promise<Outcome | null> {
  const { payments } = services.integrations
  const setup = attempt.setup_intent_id
    ? await payments.readSetup(attempt.setup_intent_id)
    : await payments.createSetup(
        await customerOf(services, attempt),
        invariant(attempt.card_id, 'the card'),
        metadataOf(attempt),
        attempt.id,
      )
  const state = setup.status === 'requires_action' ? 'action_required' : attempt.state
  await saveProgress(services, attempt, { setup_intent_id: setup.id, state })
  return setup.status === 'succeeded' ? null : outcomeOf(services, attempt, setup, 'setup')
}

/** Stores the payment that waits for the cardholder, then answers with its state. */
export async function awaitPayment(
  services: Services,
  attempt: Attempt,
  payment: Confirmation,
): Promise<Outcome> {
  if (payment.status === 'requires_action')
    await saveProgress(services, attempt, { payment_intent_id: payment.id, state: 'action_required' })
  return outcomeOf(services, attempt, payment, 'payment')
}

async function outcomeOf(
  services: Services,
  attempt: Attempt,
  confirmation: Confirmation,
  confirms: 'payment' | 'setup',
): Promise<Outcome> {
  if (confirmation.status === 'requires_action')
    return { kind: 'action', client_secret: confirmation.clientSecret, confirms }
  if (confirmation.status === 'refused') return rollback(services, attempt, confirmation.refusal)
  if (confirmation.status === 'canceled') return rollback(services, attempt, 'payment_not_authorized')
  return { kind: 'pending' }
}
