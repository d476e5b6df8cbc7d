import type { IdentityFault } from '../identity-faults.ts'
import { fullName, type Person } from '../people.ts'

/** Microsoft's `xms_edov` corresponds to `email_verified`. */
function emailClaims(person: Person, fault: IdentityFault | undefined) {
  if (fault === 'email_missing') return {}
  const { email } = person
  if (fault === 'email_verified_missing') return { email }
  if (fault === 'email_verified_string') return { email, email_verified: 'true', xms_edov: 'true' }
  const verified = person.email_verified && fault !== 'email_verified_false'
  return { email, email_verified: verified, xms_edov: verified }
}

function profileClaims(person: Person) {
  const name = fullName(person)
  if (name === '') return {}
  return { name, given_name: person.first_name, family_name: person.last_name || undefined }
}

/** The claims of these scopes. */
export const personClaims = (
  person: Person,
  scope: readonly string[],
  fault: IdentityFault | undefined,
): Record<string, unknown> => ({
  sub: person.subject,
  ...(scope.includes('email') && emailClaims(person, fault)),
  ...(scope.includes('profile') && profileClaims(person)),
})
