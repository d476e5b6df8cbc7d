import { Resolver } from 'node:dns/promises'
import { z } from 'zod'

export type Dns = {
  /** Texts of the TXT records of a name; empty for an unknown name. Throws DnsUnavailable without an answer. */
  txt(name: string): Promise<string[]>
}

/** The name server did not answer, or answered with an error that says nothing about the name. */
export class DnsUnavailable extends Error {}

const answer = z.object({ txt: z.array(z.string()) })
const timeoutMs = 5000

/**
 * @param url HTTP endpoint that answers `?name=` with `{ txt: [] }`; null = use the machine's name servers
 * @param servers name servers to ask instead of the machine's; for tests
 * @param guard called first; throws inside an open transaction, where no network call is allowed
 */
export function openDns({
  url,
  servers,
  guard,
}: {
  url: string | null
  servers?: string[]
  guard: () => void
}): Dns {
  return {
    async txt(name) {
      guard()
      try {
        return await (url ? resolveOverHttp(url, name) : resolveOverDns(name, servers))
      } catch (cause) {
        throw new DnsUnavailable(name, { cause })
      }
    },
  }
}

async function resolveOverHttp(url: string, name: string): Promise<string[]> {
  const asked = new URL(url)
  asked.searchParams.set('name', name)
  const reply = await fetch(asked, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!reply.ok) throw new Error(`The name server answered ${reply.status}`)
  return answer.parse(await reply.json()).txt
}

/** @param servers name servers to ask instead of the machine's; for tests */
export function createResolver(servers?: string[]): Resolver {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return resolver
}

async function resolveOverDns(name: string, servers?: string[]): Promise<string[]> {
  try {
    // DNS splits a record of more than 255 bytes into pieces.
    return (await createResolver(servers).resolveTxt(name)).map(pieces => pieces.join(''))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOTFOUND' || code === 'ENODATA') return []
    throw error
  }
}
