import type { SessionUser } from '@plinth/contract'

/** A signed-in, active owner; pass the fields that differ. */
export function sessionUser(change: Partial<SessionUser> = {}): SessionUser & { token: string } {
  return {
    token: 'token-of-mara',
    id: '00000000-0000-4000-8000-000000000001',
    account_id: '00000000-0000-4000-8000-0000000000a1',
    name: 'Mara Aldous',
    verified: true,
    email_pending: false,
    plan: 'free',
    onboarded: true,
    subscription: 'active',
    permission: 'owner',
    second_factor_required: false,
    dark_mode: false,
    dark_mode_chosen: change.dark_mode !== undefined,
    avatar: null,
    locale: 'en',
    duplicate_user: false,
    support_until: null,
    accounts: [accountOf({})],
    ...change,
  }
}

/** The user's profile as returned by GET /api/user. */
export function profileOf(user: SessionUser, change: Record<string, unknown> = {}) {
  return {
    id: user.id,
    name: user.name,
    first_name: 'Mara',
    last_name: 'Aldous',
    email: 'mara@northquay.studio',
    pending_email: null,
    avatar: null,
    verified: user.verified,
    has_password: true,
    '2fa_enabled': false,
    dark_mode: user.dark_mode,
    support_enabled: false,
    locale: user.locale,
    permission: user.permission,
    account_id: user.account_id,
    account_name: user.accounts[0]?.name,
    default_account: null,
    duplicate_user: false,
    onboarded: user.onboarded,
    date_created: '2026-09-01T08:00:00.000Z',
    ...change,
  }
}

/** An account in the user's list. */
export function accountOf(change: Partial<SessionUser['accounts'][number]>): SessionUser['accounts'][number] {
  return {
    id: '00000000-0000-4000-8000-0000000000a1',
    name: 'Northquay Studio',
    permission: 'owner',
    since: '2026-09-01T08:00:00.000Z',
    ...change,
  }
}
