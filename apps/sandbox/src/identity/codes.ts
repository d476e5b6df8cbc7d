import { createHash } from 'node:crypto'
import { randomText } from '../ids.ts'
import { type World, wallTime } from '../world.ts'
import type { ConsentMishap } from './faults.ts'
import type { Person } from './people.ts'

/** What a person agreed to, until it is spent and as long as its tokens live. */
export interface Grant {
  /** The path that issued it, `oidc/google` or `github`: worth nothing at another. */
  at: string
  client_id: string
  redirect_uri: string
  challenge: string | null
  nonce: string | null
  scope: readonly string[]
  person: Person
  fault: ConsentMishap | undefined
}

const codeLife = 60
const tokenLife = 3_600

interface Kept {
  grant: Grant
  until: number
  /** The access token that the code was spent on. */
  token: string | null
}

const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Codes and access tokens, in memory; they age by the sandbox's clock, so that a test can move it past them. */
export function createCodes(world: World) {
  const codes = new Map<string, Kept>()
  const tokens = new Map<string, Kept>()

  const keep = (where: Map<string, Kept>, id: string, grant: Grant, life: number) => {
    const now = wallTime(world)
    for (const [old, { until }] of where) if (until + tokenLife < now) where.delete(old)
    where.set(id, { grant, until: now + life, token: null })
    return id
  }

  return {
    issue: (grant: Grant) => keep(codes, randomText(40), grant, codeLife),

    /** Spends a code. Whoever brings it a second time also ends the token it gave: one of the two is a thief. */
    redeem(code: string, by: { at: string; client_id: string; redirect_uri: unknown; verifier: unknown }) {
      const kept = codes.get(code)
      if (!kept || kept.grant.at !== by.at || kept.grant.client_id !== by.client_id) return undefined
      if (kept.token !== null) {
        tokens.delete(kept.token)
        return undefined
      }
      kept.token = ''
      const { grant } = kept
      if (kept.until <= wallTime(world) || grant.redirect_uri !== by.redirect_uri) return undefined
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

    holder(at: string, token: string): Grant | undefined {
      const kept = tokens.get(token)
      return kept && kept.grant.at === at && kept.until > wallTime(world) ? kept.grant : undefined
    },

    clear() {
      codes.clear()
      tokens.clear()
    },
  }
}
