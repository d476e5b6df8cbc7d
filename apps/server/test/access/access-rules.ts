import { contract, type Endpoint } from '@plinth/contract'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { TestRole } from '../factories/accounts.ts'

/** States of an account and its users. */
export const accountStates = {
  unverified: { verified: false, plan: 'startup', status: 'active' },
  planless: { verified: true, plan: null, status: 'none' },
  free: { verified: true, plan: 'free', status: 'active' },
  paid: { verified: true, plan: 'startup', status: 'active' },
  trialing: { verified: true, plan: 'scale', status: 'trialing' },
  unpaid: { verified: true, plan: 'startup', status: 'requires_payment_method' },
  unauthorised: { verified: true, plan: 'scale', status: 'requires_action' },
  canceled: { verified: true, plan: 'startup_yearly', status: 'canceled' },
} as const
export type AccountState = keyof typeof accountStates

export type Caller = {
  /** `none` sends no credential, `dead` one that was never issued. */
  by: 'none' | 'dead session' | 'dead key' | 'session' | 'support' | 'key'
  role?: TestRole
  standing?: AccountState
  scopes?: readonly string[]
}

/** Permissions of each role, written independently of the code under test. */
const holds: Record<TestRole, string> = {
  master: 'master owner admin developer user',
  owner: 'owner admin developer user',
  admin: 'admin user',
  developer: 'developer user',
  user: 'user',
}
const accessCodes = [
  'session_required',
  'key_unknown',
  'key_not_allowed',
  'scope_required',
  'permission_required',
  'support_not_allowed',
  'verification_required',
  'plan_required',
  'subscription_inactive',
] as const satisfies readonly RefusalCode[]
export type AccessCode = (typeof accessCodes)[number]
export const isAccessCode = (code: unknown) => accessCodes.some(one => one === code)

/** Expected refusal of a call, derived from the endpoint's row in the contract; null when it is allowed. */
export function expectedRefusal(caller: Caller, endpoint: Endpoint): AccessCode | null {
  if (endpoint.needs === 'public') return null
  const { role = 'user', standing = 'paid', by } = caller
  if (by === 'none' || by === 'dead session') return 'session_required'
  if (by === 'dead key') return 'key_unknown'
  return (by === 'key' ? expectedKeyRefusal : expectedSessionRefusal)(caller, role, standing, endpoint)
}

/** A key has its creator's role, at most developer. It needs a verified creator and an active plan. */
function expectedKeyRefusal(
  { scopes = [] }: Caller,
  role: TestRole,
  standing: AccountState,
  { scope, needs }: Endpoint,
): AccessCode | null {
  if (standing === 'unverified') return 'key_unknown'
  if (!scope) return 'key_not_allowed'
  if (!scopes.includes(scope)) return 'scope_required'
  // A master's key has only the role in the account, which is `user` here.
  if (role === 'master' || !has(role, 'developer') || !has(role, needs)) return 'permission_required'
  return expectedPlanRefusal(standing)
}

function expectedSessionRefusal(
  { by }: Caller,
  role: TestRole,
  standing: AccountState,
  { needs, stage = 'active', support, method }: Endpoint,
): AccessCode | null {
  if (!has(role, needs)) return 'permission_required'
  if (by === 'support' && !(support ?? method === 'GET')) return 'support_not_allowed'
  if (stage === 'session') return null
  if (!accountStates[standing].verified) return 'verification_required'
  if (stage === 'verified') return null
  if (accountStates[standing].plan === null) return 'plan_required'
  // Masters keep access when their account has not paid.
  return stage === 'planned' || role === 'master' ? null : expectedPlanRefusal(standing)
}

/** A master may sign out the users of any account. All other ids belong to the caller's account or person. */
export const mayTargetAnyUser = ({ by, role }: Caller, endpoint: Endpoint) =>
  by === 'session' && role === 'master' && endpoint === contract.team.signOut

const has = (role: TestRole, needs: string) => holds[role].split(' ').includes(needs)

function expectedPlanRefusal(standing: AccountState): AccessCode | null {
  const { plan, status } = accountStates[standing]
  if (plan === null) return 'plan_required'
  return status === 'active' || status === 'trialing' ? null : 'subscription_inactive'
}

/** The plan that a 402 offers: the current plan when it is paid, else the cheapest paid plan. */
export const expectedPlanOffer = (standing: AccountState) => {
  const { plan } = accountStates[standing]
  return plan === null || plan === 'free' ? 'startup' : plan
}
