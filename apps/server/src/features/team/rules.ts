import { normalizeEmail, splitEmails } from '@plinth/contract/email'
import { limits } from '@plinth/contract/patterns'
import { isPlanId, planOf } from '@plinth/contract/plans'
import { type AssignableRole, assignableRoles, grants, type Role } from '@plinth/contract/roles'

export const inviteDays = 7

/**
 * The roles that a member can give: those that their own role includes. An admin can't create a developer: a second
 * address of theirs would see the API keys that an admin may not see.
 */
export const assignableRolesOf = (role: Role): AssignableRole[] =>
  assignableRoles.filter(given => grants(role, given))

/** Whether a member may invite into a role. Checked when the invite is sent and when it is accepted. */
export const mayInvite = (role: Role, given: Role) =>
  grants(role, 'admin') && assignableRolesOf(role).some(givable => givable === given)

/**
 * Whether a member may change or remove a member of that role. Admin and developer do not include each other.
 */
export const mayManage = (role: Role, target: Role) => grants(role, 'admin') && grants(role, target)

/** Parses a list of addresses: each once, normalised, and the first invalid part. */
export function parseAddresses(typed: string): { addresses: string[]; wrong: string | null } {
  const parts = splitEmails(typed)
  const wrong = parts.find(part => normalizeEmail(part) === null) ?? null
  const addresses = new Set(parts.map(normalizeEmail).filter(address => address !== null))
  return { addresses: [...addresses], wrong: wrong === null ? null : showable(wrong) }
}

/** Makes an invalid part safe to repeat in an error message. */
const showable = (text: string) => text.replace(/\p{C}/gu, '').slice(0, 80) || '\ufffd'

export const tooMany = (addresses: string[]) => addresses.length > limits.invite_emails

/** The seats of a plan: null is unlimited, and 0 without a plan. */
export const seatsOf = (plan: string | null): number | null =>
  isPlanId(plan) ? planOf(plan).entitlements.users : 0

export const hasRoom = (plan: string | null, people: number): boolean => {
  const seats = seatsOf(plan)
  return seats === null || people <= seats
}
