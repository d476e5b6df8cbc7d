import { isIP } from 'node:net'
import { compile } from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/**
 * Addresses that one visitor can hold at will count as one: IPv4 as it is, IPv6 by its /64. Proxies add brackets, ports
 * and zones. Whatever is no address, and a connection that has none, is in one shared network: no text is a way around
 * a limit (T-79).
 */
export function networkOf(text: string | undefined): string {
  const [address = ''] = withoutPort(text ?? '').split('%', 1)
  // Strict about octal and short forms, which ipaddr.js would read.
  if (!isIP(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const prefix = parsed.parts.slice(0, 4).map(part => part.toString(16))
  return `${prefix.join(':')}::/64`
}

/** Whether a hop of X-Forwarded-For is a trusted proxy. Some proxies add a port, which Fastify's own check rejects. */
export function trustedHop(networks: string[]): (hop: string | undefined) => boolean {
  const isTrusted = compile(networks)
  // A Unix socket has no address.
  return hop => isTrusted(withoutPort(hop ?? ''), 0)
}

/** Without brackets and port. */
function withoutPort(text: string): string {
  const [, bracketed, four] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/.exec(text.trim()) ?? []
  return bracketed ?? four ?? text.trim()
}
