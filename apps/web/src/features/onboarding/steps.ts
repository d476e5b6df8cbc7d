import { grants, type Role } from '@plinth/contract/roles'
import type { TextKey } from '../../lib/i18n/texts.ts'

export type StepKey = 'duplicate' | 'welcome' | 'invite'
export type Step = { key: StepKey; title: TextKey; text: TextKey }

/** A warning comes first for users who had an account before; invites come last for roles that can invite. */
export function stepsOf({ permission, duplicate }: { permission: Role; duplicate: boolean }): Step[] {
  const keys: StepKey[] = [
    ...(duplicate ? (['duplicate'] as const) : []),
    'welcome',
    ...(grants(permission, 'admin') ? (['invite'] as const) : []),
  ]
  return keys.map(key => ({
    key,
    title: `onboarding.${key}.step`,
    text: `onboarding.${key}.step_text`,
  }))
}

/** The step of a 1-based page, or undefined out of range. */
export function stepAt(
  steps: readonly Step[],
  page: string | null,
  last: number,
): { step: Step | undefined; index: number } {
  const index = (page === null ? Math.min(last, steps.length) : /^\d{1,3}$/.test(page) ? Number(page) : 0) - 1
  return { step: steps[index], index }
}
