import { fulfils, hasEnded, isRunning, type ProviderState, type Target } from '../core/rules.ts'

export type FirstPlanStep = 'card' | 'confirm' | 'subscribe'

/** @param confirmed the bank approved the trial card in this run */
export function nextFirstPlanStep(
  attempt: { card_id: string | null; provider_sub_id: string | null; trial_days: number },
  { confirmed }: { confirmed: boolean },
): FirstPlanStep {
  if (attempt.provider_sub_id) return 'subscribe'
  if (!attempt.card_id) return 'card'
  return attempt.trial_days > 0 && !confirmed ? 'confirm' : 'subscribe'
}

export type CardChangeStep = 'not_started' | 'card' | 'pay'

/** @param charging false in the settle job, which continues only what the bank was asked about */
export function nextCardChangeStep(
  attempt: { replaced_at: Date | null; setup_intent_id: string | null },
  { charging }: { charging: boolean },
): CardChangeStep {
  if (attempt.replaced_at) return 'pay'
  return charging || attempt.setup_intent_id ? 'card' : 'not_started'
}

export type PlanChangeStep = 'done' | 'gone' | 'owing' | 'card' | 'end' | 'payment' | 'items' | 'keep'

/** Decides from a fresh read alone, so that a run can continue wherever the last one stopped. */
export function nextPlanChangeStep(target: Target, state: ProviderState): PlanChangeStep {
  if (hasEnded(state.status)) return 'gone'
  if (fulfils(target, state)) return 'done'
  const isMove = target.plan !== 'free' && state.plan !== target.plan
  // The amount due is paid first: otherwise the change would be paid while the old debt stays.
  if (isMove && !isRunning(state.status)) return 'owing'
  if (target.card_token !== null && target.replaced_at === null) return 'card'
  if (target.plan === 'free') return 'end'
  if (state.pendingUpdate) return 'payment'
  return isMove ? 'items' : 'keep'
}

/** Seconds until the settle job checks an open attempt again: longer for an older attempt, at most an hour. */
export const nextCheckSeconds = (ageSeconds: number, first: number): number =>
  Math.ceil(Math.min(3600, Math.max(first, ageSeconds / 2)))

/** The provider cancels an unconfirmed first payment after 23 hours; so do we. */
export const confirmationSeconds = 23 * 3600
