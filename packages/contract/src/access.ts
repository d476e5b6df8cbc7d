import { grants, type Permission, type Role } from './roles.ts'

/**
 * How far a session has come (specification, section 4). An endpoint names the stage it needs at least;
 * a screen is allowed or redirected by `whereInstead`.
 */
export const stages = ['session', 'verified', 'planned', 'active'] as const
export type Stage = (typeof stages)[number]

/** The part of the session user that decides where it may go. */
export type Standing = {
  verified: boolean
  /** A new address waits for its proof. Undefined: the browser has not heard yet. */
  email_pending?: boolean | undefined
  plan: string | null
  onboarded: boolean
  subscription: string | null
  permission: Role
  /** A master has to set up a second factor first. Undefined: the browser has not heard yet. */
  second_factor_required?: boolean | undefined
}

/** Masters reach every account, so they set up a second factor before anything else. An address is proven first. */
export function mustEnrol(
  who: Pick<Standing, 'verified' | 'permission'> & { second_factor: boolean },
): boolean {
  return who.permission === 'master' && who.verified && !who.second_factor
}
const enrolment = '/account/2fa'

const running = new Set(['active', 'trialing'])

export function stageOf(who: Pick<Standing, 'verified' | 'plan' | 'subscription' | 'permission'>): Stage {
  if (!who.verified) return 'session'
  if (!who.plan) return 'verified'
  if (who.permission !== 'master' && !running.has(who.subscription ?? '')) return 'planned'
  return 'active'
}

export function reaches(stage: Stage, needed: Stage): boolean {
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
 * Where a visitor is sent instead of `path`, or null when the screen may be shown.
 * @param needs the route's permission; undefined for a public route
 */
export function whereInstead(
  who: Standing | null,
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
 * A member of an account without a plan or a running subscription. Plans and billing are the owner's, so being sent
 * there would end at the sign-in page and begin again; the overview says instead who can help.
 */
export function onlyAnOwnerCanHelp(
  who: Pick<Standing, 'verified' | 'plan' | 'subscription' | 'permission'>,
): boolean {
  const stage = stageOf(who)
  return (stage === 'verified' || stage === 'planned') && !grants(who.permission, 'owner')
}
const memberPaths = ['/account', '/account/profile']

/** The first screen after a sign-in or an account switch. */
export function landing(
  who: Pick<Standing, 'verified' | 'plan' | 'onboarded' | 'permission' | 'second_factor_required'>,
): string {
  if (who.second_factor_required) return enrolment
  if (!who.verified) return '/signup/verify'
  if (!who.plan) return grants(who.permission, 'owner') ? '/signup/plan' : '/account'
  return who.onboarded ? '/dashboard' : '/welcome'
}
