import { sign } from 'node:crypto'
import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js'
import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto'
import {
  makeServiceKey,
  type ProvenIdentity,
  type SamlCode,
  SamlProblem,
  type ServiceKey,
  verifyResponse,
} from '../../src/integrations/saml/saml.ts'
import { idpEntityId, NOW, type Parts, requestId, responseXml, service } from './message.ts'

/** The identity provider's key, its next key, and an untrusted key. */
export const idpKey = await makeServiceKey({ name: 'idp.example.com', now: NOW, bits: 2048 })
export const nextKey = await makeServiceKey({ name: 'idp.example.com', now: NOW, bits: 2048 })
export const foreignKey = await makeServiceKey({ name: 'idp.example.com', now: NOW, bits: 2048 })

const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

export type Signing = {
  key?: Pick<ServiceKey, 'privateKey'> & Partial<ServiceKey>
  algorithm?: string
  digest?: string
  transforms?: string[]
  canonicalization?: string
  inclusive?: string[]
  /** Of the signature's elements; empty for none. */
  prefix?: string
  /** Signs by the connection's public certificate as a shared secret. */
  hmac?: boolean
  /** Behind the issuer, where the schema wants it, if not said otherwise. */
  place?: 'first'
}
export type Signed = 'Assertion' | 'Response'

/** Puts a real signature behind the issuer of the named element. */
export function signed(xml: string, what: Signed, options: Signing = {}): string {
  const key = options.key ?? idpKey
  const signature = new SignedXml({
    privateKey: key.privateKey,
    publicCert: key.certificate,
    signatureAlgorithm: options.algorithm ?? RSA_SHA256,
    canonicalizationAlgorithm: options.canonicalization ?? EXC_C14N,
  })
  if (options.hmac) signature.enableHMAC()
  const element = `//*[local-name(.)='${what}']`
  signature.addReference({
    xpath: element,
    digestAlgorithm: options.digest ?? SHA256,
    transforms: options.transforms ?? [ENVELOPED, EXC_C14N],
    inclusiveNamespacesPrefixList: options.inclusive,
  })
  const location =
    options.place === 'first'
      ? ({ reference: element, action: 'prepend' } as const)
      : ({ reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' } as const)
  signature.computeSignature(xml, { prefix: options.prefix ?? 'ds', location })
  return signature.getSignedXml()
}

/** A response with its parts replaced, its assertion signed. */
export const genuine = (parts: Parts = {}, options?: Signing) =>
  signed(responseXml(parts), 'Assertion', options)
export const responseSigned = (parts: Parts = {}, options?: Signing) =>
  signed(responseXml(parts), 'Response', options)
export const bothSigned = (parts: Parts = {}) => signed(genuine(parts), 'Response')

/** Verifies only the signature, as a naive verifier does. */
export function holds(xml: string): boolean {
  const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(xml) ?? []
  const verifier = new SignedXml({ publicCert: idpKey.certificate })
  verifier.loadSignature(signature)
  return verifier.checkSignature(xml)
}

export const base64 = (xml: string | Uint8Array) => Buffer.from(xml).toString('base64')

/** Posts to the verifier as the connection is set up. */
export const post = (samlResponse: string, consume = async () => true): Promise<ProvenIdentity> =>
  verifyResponse({
    samlResponse,
    idp: { entityId: idpEntityId, certificates: [idpKey.certificate, nextKey.certificate] },
    service,
    requestId,
    now: NOW,
    consume,
  })

export type Verdict = SamlCode | 'accepted'

/** 'accepted', or the code of the refusal. Anything else thrown is a bug and fails the test. */
export async function verdict(xml: string | Promise<string>): Promise<Verdict> {
  return verdictOf(base64(await xml))
}
export async function verdictOf(samlResponse: string): Promise<Verdict> {
  try {
    await post(samlResponse)
    return 'accepted'
  } catch (problem) {
    if (problem instanceof SamlProblem) return problem.code
    throw problem
  }
}

/** Signs the one SignedInfo again after it was edited: what only the holder of the key can send. */
export async function resigned(xml: string, key = idpKey): Promise<string> {
  const document = await parseDomFromString(xml)
  const [info] = xpath.selectElements(document, "//*[local-name(.)='SignedInfo']")
  if (!info) throw new Error('Nothing to sign again')
  const canonical = new ExclusiveCanonicalization().process(info, {})
  const value = sign('sha256', Buffer.from(canonical), key.privateKey).toString('base64')
  return xml.replace(/(<ds:SignatureValue>)[^<]*/, `$1${value}`)
}
