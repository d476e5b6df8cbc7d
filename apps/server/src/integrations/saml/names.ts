import { type SamlCode, SamlProblem } from './problem.ts'
import type { Element } from './xml.ts'

export const SAMLP = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const MD = 'urn:oasis:names:tc:SAML:2.0:metadata'
export const DS = 'http://www.w3.org/2000/09/xmldsig#'
export const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#'

export const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
export const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
export const ENTITY_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity'
export const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
export const PERSISTENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
export const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'
export const UNSPECIFIED_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

export const is = (element: Element | undefined, ns: string, name: string): element is Element =>
  element?.name === name && element.ns === ns

export const childrenOf = (parent: Element, ns: string, name: string) =>
  parent.children.filter(child => is(child, ns, name))

/** The single child of that name; throws the code for none or several. */
export function only(parent: Element, ns: string, name: string, code: SamlCode): Element {
  const [found, ...more] = childrenOf(parent, ns, name)
  if (!found || more.length > 0) throw new SamlProblem(code)
  return found
}

/** An attribute without a namespace. */
export const attributeOf = (element: Element, name: string): string | null =>
  element.attributes.find(attribute => attribute.name === name && attribute.ns === '')?.value ?? null

/** Text of an element without children: a nested element could split an address. */
export function textOf(element: Element, code: SamlCode): string {
  if (element.children.length > 0 || element.text === '') throw new SamlProblem(code)
  return element.text
}

export function* walk(element: Element, parent: Element | null = null): Generator<[Element, Element | null]> {
  yield [element, parent]
  for (const child of element.children) yield* walk(child, element)
}
