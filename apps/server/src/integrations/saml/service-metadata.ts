import type { ServiceProvider } from './expectations.ts'
import { DS, EMAIL_FORMAT, MD, PERSISTENT_FORMAT, POST, SAMLP, UNSPECIFIED_FORMAT } from './names.ts'
import { escapeXml } from './xml-text.ts'

/**
 * Our metadata, which a provider imports.
 * @param options.certificate PEM of the key that signs our requests, if they are signed
 */
export function serviceMetadata({
  entityId,
  acsUrl,
  certificate,
}: ServiceProvider & { certificate?: string }): string {
  const base64 = certificate?.replace(/-----(?:BEGIN|END) CERTIFICATE-----|\s/g, '')
  const key = base64
    ? `<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="${DS}"><ds:X509Data><ds:X509Certificate>` +
      `${escapeXml(base64)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
    : ''
  const formats = [PERSISTENT_FORMAT, EMAIL_FORMAT, UNSPECIFIED_FORMAT]
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<md:EntityDescriptor xmlns:md="${MD}" entityID="${escapeXml(entityId)}">` +
    `<md:SPSSODescriptor AuthnRequestsSigned="${key !== ''}" WantAssertionsSigned="true" ` +
    `protocolSupportEnumeration="${SAMLP}">${key}` +
    formats.map(format => `<md:NameIDFormat>${format}</md:NameIDFormat>`).join('') +
    `<md:AssertionConsumerService Binding="${POST}" Location="${escapeXml(acsUrl)}" index="0" isDefault="true"/>` +
    '</md:SPSSODescriptor></md:EntityDescriptor>\n'
  )
}
