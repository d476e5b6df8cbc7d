import type { SigningKey } from '../signing-keys.ts'
import { formats, type Idp } from './idp.ts'
import { element, escapeXml } from './xml.ts'

const bare = (pem: string) => pem.replaceAll(/-----[A-Z ]+-----|\s/g, '')

export function metadataXml(idp: Idp, key: SigningKey): string {
  const certificate = element('ds:X509Certificate', {}, bare(key.certificate))
  const nameIdFormats = Object.values(formats)
    .map(format => element('md:NameIDFormat', {}, escapeXml(format)))
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'md:EntityDescriptor',
    {
      'xmlns:md': 'urn:oasis:names:tc:SAML:2.0:metadata',
      'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
      entityID: idp.entity_id,
    },
    element(
      'md:IDPSSODescriptor',
      {
        WantAuthnRequestsSigned: 'false',
        protocolSupportEnumeration: 'urn:oasis:names:tc:SAML:2.0:protocol',
      },
      element(
        'md:KeyDescriptor',
        { use: 'signing' },
        element('ds:KeyInfo', {}, element('ds:X509Data', {}, certificate)),
      ) +
        nameIdFormats +
        element('md:SingleSignOnService', {
          Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
          Location: idp.sso_url,
        }),
    ),
  )}\n`
}
