import type { SessionUser } from '@plinth/contract'
import type { Actor } from '../../context.ts'

/** What the browser keeps of who is signed in (product.md, section 3). */
export function toSessionUser(actor: Actor): SessionUser {
  return {
    id: actor.user_id,
    account_id: actor.account_id,
    name: `${actor.first_name} ${actor.last_name}`.trim(),
    verified: actor.verified,
    plan: actor.plan,
    onboarded: actor.onboarded,
    subscription: actor.subscription,
    permission: actor.permission,
    dark_mode: actor.dark_mode,
    avatar: actor.avatar,
    locale: actor.locale,
    duplicate_user: actor.duplicate_user,
    accounts: actor.accounts,
  }
}
