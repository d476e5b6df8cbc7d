import type { SessionUser } from '@plinth/contract'
import { mustSetUpSecondFactor } from '@plinth/contract/access'
import type { Actor } from '../context.ts'

export const supportMinutes = 30

/** The user as the browser stores it. */
export function toSessionUser(actor: Actor): SessionUser {
  return {
    id: actor.user_id,
    account_id: actor.account_id,
    name: `${actor.first_name} ${actor.last_name}`.trim(),
    verified: actor.verified,
    email_pending: actor.email_pending,
    plan: actor.plan,
    onboarded: actor.onboarded,
    subscription: actor.subscription,
    permission: actor.permission,
    second_factor_required: mustSetUpSecondFactor(actor),
    dark_mode: actor.dark_mode,
    dark_mode_chosen: actor.dark_mode_chosen,
    avatar: actor.avatar,
    locale: actor.locale,
    duplicate_user: actor.duplicate_user,
    support_until: actor.impersonator_id ? supportEnd(actor.authenticated_at) : null,
    accounts: actor.accounts.map(account => ({ ...account, since: new Date(account.since).toISOString() })),
  }
}

/** Support sessions are never renewed. */
const supportEnd = (began: Date) => new Date(began.getTime() + supportMinutes * 60_000).toISOString()
