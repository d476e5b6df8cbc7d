import { normalizeEmail, splitEmails } from '@plinth/contract/email'
import { limits } from '@plinth/contract/patterns'
import { isPlanId, planOf } from '@plinth/contract/plans'
import { type AssignableRole, assignableRoles, grants, type Role } from '@plinth/contract/roles'

/** Days until the link of an invite stops working. */
export const inviteDays = 7

/**
 * The roles that somebody can give: those their own role includes. An admin makes admins and users, but no
 * developers: a second address of their own would otherwise open the keys that an admin may not see (T-32).
 */
export const givableBy = (role: Role): AssignableRole[] =>
  assignableRoles.filter(given => grants(role, given))

/** Whether somebody may invite into a role. Asked when the invite is made, and again when it is accepted. */
export const mayInvite = (role: Role, given: Role) =>
  grants(role, 'admin') && givableBy(role).some(givable => givable === given)

/**
 * Whether somebody may edit or remove a member of that role: one that their own includes. Admin and developer are
 * beside each other, and neither moves the other (T-32).
 */
export const mayManage = (role: Role, target: Role) => grants(role, 'admin') && grants(role, target)

/** Addresses as typed: each once, in its one spelling, and the first thing that is none. */
export function readAddresses(typed: string): { addresses: string[]; wrong: string | null } {
  const parts = splitEmails(typed)
  const wrong = parts.find(part => normalizeEmail(part) === null) ?? null
  const addresses = new Set(parts.map(normalizeEmail).filter(address => address !== null))
  return { addresses: [...addresses], wrong: wrong === null ? null : showable(wrong) }
}

/** What a stranger typed, fit to be repeated in a sentence. */
const showable = (text: string) => text.replace(/\p{C}/gu, '').slice(0, 80) || '\ufffd'

export const tooMany = (addresses: string[]) => addresses.length > limits.invite_emails

/** How many people a plan has room for; null is no limit, and without a plan there is room for nobody. */
export const seatsOf = (plan: string | null): number | null =>
  isPlanId(plan) ? planOf(plan).entitlements.users : 0

export const hasRoom = (plan: string | null, people: number): boolean => {
  const seats = seatsOf(plan)
  return seats === null || people <= seats
}
