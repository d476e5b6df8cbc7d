import { normalizeEmail } from '@plinth/contract/email'
import { hasVisibleText, trimWhere } from '@plinth/contract/text'
import { splitName } from '../../lib/person-name.ts'
import { type Meaning, meaningOf } from './attribute-names.ts'
import { attributeOf, childrenOf, EMAIL_FORMAT, SAML, textOf, UNSPECIFIED_FORMAT } from './names.ts'
import { SamlProblem } from './problem.ts'
import type { Element } from './xml.ts'

export type SamlAttributes = { email: string | null; first_name: string | null; last_name: string | null }

/** Reads email and name. Falls back to the NameID when that is an address. */
export function readAttributes(
  assertion: Element,
  { nameId, nameIdFormat }: { nameId: string; nameIdFormat: string | null },
): SamlAttributes {
  const said = new Map<Meaning, string[]>()
  for (const statement of childrenOf(assertion, SAML, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, SAML, 'Attribute')) {
      const meaning = meaningOf(attributeOf(attribute, 'Name') ?? '')
      if (!meaning) continue
      const values = childrenOf(attribute, SAML, 'AttributeValue').filter(
        value => value.text !== '' || value.children.length > 0,
      )
      said.set(meaning, [...(said.get(meaning) ?? []), ...values.map(value => textOf(value, 'attributes'))])
    }
  }
  const isAddress = nameIdFormat === null || [EMAIL_FORMAT, UNSPECIFIED_FORMAT].includes(nameIdFormat)
  const email = singleEmail(said.get('email') ?? []) ?? (isAddress ? addressIn(nameId) : null)
  return { email: email ?? singleAddress(said.get('user_name')), ...namesOf(said) }
}

/** Trims XML white space only. */
const addressIn = (value: string) => normalizeEmail(trimWhere(value, letter => ' \t\r\n'.includes(letter)))

/** Refuses several different addresses. */
function singleEmail(values: string[]): string | null {
  const addresses = new Set(values.map(addressIn))
  if (addresses.size > 1 || addresses.has(null)) throw new SamlProblem('email')
  return [...addresses][0] ?? null
}

/** A user name is often an address. Several different ones are ignored. */
function singleAddress(values: string[] = []): string | null {
  const addresses = new Set(values.map(addressIn))
  return addresses.size === 1 ? ([...addresses][0] ?? null) : null
}

/** Fills a missing first or last name from the full name. */
function namesOf(said: ReadonlyMap<Meaning, string[]>) {
  const [given, family] = [displayableName(said.get('first_name')), displayableName(said.get('last_name'))]
  const full = [said.get('display_name'), said.get('common_name')]
    .map(displayableName)
    .find(name => name !== null)
  // Some providers send the user name as the full name.
  const { first, last } = splitName(full && !full.includes('@') ? full : '')
  return { first_name: given ?? (first || null), last_name: family ?? (last || null) }
}

/** Names are only displayed, so an invalid name is ignored instead of refused. */
function displayableName(values: string[] = []): string | null {
  const name = values[0]?.normalize('NFC').trim()
  return name && hasVisibleText(name) && name.length <= 100 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
    ? name
    : null
}
