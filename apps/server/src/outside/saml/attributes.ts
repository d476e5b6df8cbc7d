import { normalEmail } from '@plinth/contract/patterns'
import { attributeOf, childrenOf, EMAIL_FORMAT, SAML, textOf, UNSPECIFIED_FORMAT } from './names.ts'
import { SamlProblem } from './problem.ts'
import type { Element } from './xml.ts'

export type SamlAttributes = { email: string | null; first_name: string | null; last_name: string | null }

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
/** Names the usual providers give, compared without regard to case: plain, Microsoft's, and those of X.500. */
const NAMES = {
  email: ['email', 'mail', 'emailaddress', 'email_address', 'user.email', `${CLAIMS}emailaddress`],
  first_name: ['first_name', 'firstname', 'givenname', 'given_name', 'user.firstname', `${CLAIMS}givenname`],
  last_name: ['last_name', 'lastname', 'surname', 'sn', 'family_name', 'user.lastname', `${CLAIMS}surname`],
}
const OIDS: Record<string, keyof typeof NAMES> = {
  'urn:oid:0.9.2342.19200300.100.1.3': 'email',
  'urn:oid:2.5.4.42': 'first_name',
  'urn:oid:2.5.4.4': 'last_name',
}
const MEANING = new Map<string, keyof typeof NAMES>([
  ...Object.entries(OIDS),
  ...(['email', 'first_name', 'last_name'] as const).flatMap(meaning =>
    NAMES[meaning].map(name => [name, meaning] as const),
  ),
])

/** The address and the name, where the provider gives them; the address else from a NameID that is one. */
export function readAttributes(
  assertion: Element,
  { nameId, nameIdFormat }: { nameId: string; nameIdFormat: string | null },
): SamlAttributes {
  const said = new Map<keyof typeof NAMES, string[]>()
  for (const statement of childrenOf(assertion, SAML, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, SAML, 'Attribute')) {
      const meaning = MEANING.get((attributeOf(attribute, 'Name') ?? '').toLowerCase())
      if (!meaning) continue
      const values = childrenOf(attribute, SAML, 'AttributeValue').filter(
        value => value.text !== '' || value.children.length > 0,
      )
      said.set(meaning, [...(said.get(meaning) ?? []), ...values.map(value => textOf(value, 'attributes'))])
    }
  }
  const isAddress = nameIdFormat === null || [EMAIL_FORMAT, UNSPECIFIED_FORMAT].includes(nameIdFormat)
  return {
    email: theEmail(said.get('email') ?? []) ?? (isAddress ? normalEmail(nameId) : null),
    first_name: theName(said.get('first_name')),
    last_name: theName(said.get('last_name')),
  }
}

/** One address or none: of several, whose is it? */
function theEmail(values: string[]): string | null {
  const addresses = new Set(values.map(normalEmail))
  if (addresses.size > 1 || addresses.has(null)) throw new SamlProblem('email')
  return [...addresses][0] ?? null
}

/** A name is only shown, so an odd one is left out rather than refused. */
function theName(values: string[] = []): string | null {
  const name = values[0]?.normalize('NFC').trim()
  return name && name.length <= 100 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? name : null
}
