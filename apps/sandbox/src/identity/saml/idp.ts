import type { SandboxContext } from '../../context.ts'

export const formats = {
  email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
} as const

/** A company's identity provider. Each name has its own key and entity id. */
export interface Idp {
  /** The path below /identity: `saml` or `saml/<name>`. Also the name of its faults and its key. */
  at: string
  title: string
  entity_id: string
  sso_url: string
}

export function idpOf(context: SandboxContext, name: string | undefined): Idp {
  const at = name ? `saml/${name}` : 'saml'
  const base = `${context.origin}/identity/${at}`
  const title = name ? `Company sign-in, ${name} (sandbox)` : 'Company sign-in (sandbox)'
  return { at, title, entity_id: `${base}/metadata`, sso_url: `${base}/sso` }
}
