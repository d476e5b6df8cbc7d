import type { SessionUser } from '@plinth/contract'

/** A signed-in owner with everything in order; pass what is different. */
export function sessionUser(change: Partial<SessionUser> = {}): SessionUser & { token: string } {
  return {
    token: 'token-of-mara',
    id: '00000000-0000-4000-8000-000000000001',
    account_id: '00000000-0000-4000-8000-0000000000a1',
    name: 'Mara Aldous',
    verified: true,
    plan: 'free',
    onboarded: true,
    subscription: 'active',
    permission: 'owner',
    dark_mode: false,
    avatar: null,
    locale: 'en',
    duplicate_user: false,
    accounts: [{ id: '00000000-0000-4000-8000-0000000000a1', name: 'Northquay Studio' }],
    ...change,
  }
}

/** Her own profile as GET /api/user answers it. */
export function profileOf(user: SessionUser, change: Record<string, unknown> = {}) {
  return {
    id: user.id,
    name: user.name,
    first_name: 'Mara',
    last_name: 'Aldous',
    email: 'mara@northquay.studio',
    avatar: null,
    verified: user.verified,
    has_password: true,
    dark_mode: user.dark_mode,
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
