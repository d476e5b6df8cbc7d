import { grants, type Permission, type Role } from './roles.ts'

/** Steps of onboarding. An endpoint names the stage it needs; `redirectFor` applies the same to screens. */
export const stages = ['session', 'verified', 'planned', 'active'] as const
export type Stage = (typeof stages)[number]

/** The fields of the session user that decide which screens are open. */
export type AccessState = {
  verified: boolean
  /** A new address is not verified yet. Undefined until the server replies. */
  email_pending?: boolean | undefined
  plan: string | null
  onboarded: boolean
  subscription: string | null
  permission: Role
  /** A master without a second factor. Undefined until the server replies. */
  second_factor_required?: boolean | undefined
}

/** Masters can access every account, so they need a second factor. Its set-up needs a verified address. */
export function mustSetUpSecondFactor(
  who: Pick<AccessState, 'verified' | 'permission'> & { second_factor: boolean },
): boolean {
  return who.permission === 'master' && who.verified && !who.second_factor
}
const enrolment = '/account/2fa'

const running = new Set(['active', 'trialing'])

export function stageOf(who: Pick<AccessState, 'verified' | 'plan' | 'subscription' | 'permission'>): Stage {
  if (!who.verified) return 'session'
  if (!who.plan) return 'verified'
  if (who.permission !== 'master' && !running.has(who.subscription ?? '')) return 'planned'
  return 'active'
}

export function reachesStage(stage: Stage, needed: Stage): boolean {
  return stages.indexOf(stage) >= stages.indexOf(needed)
}

const allowedAt: Record<Exclude<Stage, 'active'>, { paths: string[]; instead: string }> = {
  session: { paths: ['/account/profile', '/signup/verify'], instead: '/signup/verify' },
  verified: { paths: ['/account/profile', '/signup/plan'], instead: '/signup/plan' },
  planned: {
    paths: ['/account/billing', '/signup/plan', '/account/upgrade', '/account', '/account/profile'],
    instead: '/account/billing',
  },
}

/**
 * The path to redirect to instead of `path`; null when the screen may be shown.
 * @param needs the route's permission; undefined for a public route
 */
export function redirectFor(
  who: AccessState | null,
  path: string,
  needs: Permission | undefined,
): string | null {
  if (!needs) return null
  if (!who || !grants(who.permission, needs)) return '/login'
  if (who.second_factor_required) return path === enrolment ? null : enrolment
  const stage = stageOf(who)
  if (path === '/signup/verify' && who.verified) return who.email_pending === false ? '/dashboard' : null
  if (stage === 'active') return null
  if (onlyAnOwnerCanHelp(who)) return memberPaths.includes(path) ? null : '/account'
  const { paths, instead } = allowedAt[stage]
  return paths.includes(path) ? null : instead
}

/**
 * Whether the user is a member, not an owner, of an account without a plan or a running subscription. Members cannot
 * open the plan and billing screens; a redirect there would loop. The overview names the owners instead.
 */
export function onlyAnOwnerCanHelp(
  who: Pick<AccessState, 'verified' | 'plan' | 'subscription' | 'permission'>,
): boolean {
  const stage = stageOf(who)
  return (stage === 'verified' || stage === 'planned') && !grants(who.permission, 'owner')
}
const memberPaths = ['/account', '/account/profile']

/** The first screen after a sign-in or an account switch. */
export function landingPath(
  who: Pick<AccessState, 'verified' | 'plan' | 'onboarded' | 'permission' | 'second_factor_required'>,
): string {
  if (who.second_factor_required) return enrolment
  if (!who.verified) return '/signup/verify'
  if (!who.plan) return grants(who.permission, 'owner') ? '/signup/plan' : '/account'
  return who.onboarded ? '/dashboard' : '/welcome'
}
