export type Meaning = 'email' | 'user_name' | 'first_name' | 'last_name' | 'display_name' | 'common_name'

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/'
const ADFS_1 = 'http://schemas.xmlsoap.org/claims/'
const MICROSOFT = 'http://schemas.microsoft.com/identity/claims/'
const MACE = 'urn:mace:dir:attribute-def:'

/** Default attribute names of common providers (plain, Microsoft, X.500), in lower case. */
const NAMES: Record<Meaning, string[]> = {
  email: [
    ...[
      'email',
      'mail',
      'emailaddress',
      'email_address',
      'e-mail',
      'user.email',
      'urn:oid:1.2.840.113549.1.9.1',
    ],
    ...['urn:oid:0.9.2342.19200300.100.1.3', `${MACE}mail`, `${CLAIMS}emailaddress`, `${ADFS_1}emailaddress`],
  ],
  user_name: ['upn', 'userprincipalname', 'user.userprincipalname', `${CLAIMS}upn`, `${ADFS_1}upn`],
  first_name: [
    ...['first_name', 'firstname', 'givenname', 'given_name', 'user.firstname', 'user.givenname'],
    ...['urn:oid:2.5.4.42', `${MACE}givenname`, `${CLAIMS}givenname`],
  ],
  last_name: [
    ...[
      'last_name',
      'lastname',
      'surname',
      'sn',
      'family_name',
      'familyname',
      'user.lastname',
      'user.surname',
    ],
    ...['urn:oid:2.5.4.4', `${MACE}sn`, `${CLAIMS}surname`],
  ],
  display_name: [
    ...['displayname', 'display_name', 'user.displayname', 'urn:oid:2.16.840.1.113730.3.1.241'],
    ...[`${MACE}displayname`, `${MICROSOFT}displayname`],
  ],
  common_name: [
    ...['cn', 'commonname', 'name', 'fullname', 'full_name', 'urn:oid:2.5.4.3', `${MACE}cn`],
    ...[`${CLAIMS}name`, `${ADFS_1}commonname`],
  ],
}

const meanings = new Map(
  Object.entries(NAMES).flatMap(
    ([meaning, names]) => names.map(name => [name, meaning as Meaning] as const), // as: the table's keys are its type's
  ),
)

/** Ignores case, because administrators type these names by hand. */
export const meaningOf = (name: string): Meaning | undefined => meanings.get(name.toLowerCase())
