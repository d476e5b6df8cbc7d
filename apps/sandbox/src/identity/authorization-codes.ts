import { createHash } from 'node:crypto'
import { type SandboxContext, sandboxTime } from '../context.ts'
import { randomText } from '../objects/ids.ts'
import type { IdentityFault } from './identity-faults.ts'
import type { Person } from './people.ts'

/** The consent behind one code and its tokens. */
export interface Grant {
  /** The issuing path, `oidc/google` or `github`. Other paths refuse the code. */
  at: string
  client_id: string
  redirect_uri: string
  challenge: string | null
  nonce: string | null
  scope: readonly string[]
  person: Person
  fault: IdentityFault | undefined
}

const codeLife = 60
const tokenLife = 3_600

interface IssuedCode {
  grant: Grant
  until: number
  /** The access token that the code was exchanged for. */
  token: string | null
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Codes and access tokens, in memory. They expire by the sandbox's clock, which tests can advance. */
export function createAuthorizationCodes(context: SandboxContext) {
  const codes = new Map<string, IssuedCode>()
  const tokens = new Map<string, IssuedCode>()

  const keep = (where: Map<string, IssuedCode>, id: string, grant: Grant, life: number) => {
    const now = sandboxTime(context)
    for (const [old, { until }] of where) if (until + tokenLife < now) where.delete(old)
    where.set(id, { grant, until: now + life, token: null })
    return id
  }

  return {
    issue: (grant: Grant) => keep(codes, randomText(40), grant, codeLife),

    /** Redeems a code. A second use also revokes its token, because one of the two callers stole the code. */
    redeem(code: string, by: { at: string; client_id: string; redirect_uri: unknown; verifier: unknown }) {
      const kept = codes.get(code)
      if (!kept || kept.grant.at !== by.at || kept.grant.client_id !== by.client_id) return undefined
      if (kept.token !== null) {
        tokens.delete(kept.token)
        return undefined
      }
      kept.token = ''
      const { grant } = kept
      if (kept.until <= sandboxTime(context) || grant.redirect_uri !== by.redirect_uri) return undefined
      const proof = typeof by.verifier === 'string' && by.verifier !== '' ? s256(by.verifier) : null
      if (grant.challenge !== proof) return undefined
      kept.token = keep(
        tokens,
        `${grant.at === 'github' ? 'gho_' : 'at_'}${randomText(36)}`,
        grant,
        tokenLife,
      )
      return { grant, token: kept.token, expires_in: tokenLife }
    },

    findGrant(at: string, token: string): Grant | undefined {
      const kept = tokens.get(token)
      return kept && kept.grant.at === at && kept.until > sandboxTime(context) ? kept.grant : undefined
    },

    clear() {
      codes.clear()
      tokens.clear()
    },
  }
}
