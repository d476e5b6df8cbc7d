import { BlockList, isIP } from 'node:net'
import { createResolver } from '../dns.ts'
import { SamlProblem } from './problem.ts'

export type Address = { address: string; family: 4 | 6 }
export type Resolve = (host: string) => Promise<Address[]>

/** IPv4 ranges that are not public (IANA special-purpose registry), multicast and reserved. */
const closed4 = list('ipv4', [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15',
  '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
])
/** IPv6 uses an allow list: only global unicast, which excludes mapped, translated and local addresses. */
const open6 = list('ipv6', ['2000::/3'])
const closed6 = list('ipv6', ['2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'])
const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function list(family: 'ipv4' | 'ipv6', lines: string[]): BlockList {
  const made = new BlockList()
  for (const subnet of lines.flatMap(line => line.split(' '))) {
    const [net = '', bits] = subnet.split('/')
    made.addSubnet(net, Number(bits), family)
  }
  return made
}

export function isPublicAddress({ address, family }: Address): boolean {
  if (isIP(address) !== family) return false
  if (family === 4) return !closed4.check(address, 'ipv4')
  return open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}

export const isLoopback = ({ address, family }: Address) =>
  isIP(address) === family && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')

/**
 * Queries DNS directly. The system look-up blocks a thread of the small pool until the server answers, so one silent
 * server would delay all other work. Ignores the hosts file, whose entries are internal.
 * @param servers name servers to use instead of the machine's; for tests
 */
export async function resolveByDns(host: string, servers?: string[]): Promise<Address[]> {
  // Never resolved by DNS (RFC 6761, 6.3).
  if (host === 'localhost') return [{ address: '127.0.0.1', family: 4 }]
  const resolver = createResolver(servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map(address => ({ address, family: 4 }) as const) : []),
    ...(six.status === 'fulfilled' ? six.value.map(address => ({ address, family: 6 }) as const) : []),
  ]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/**
 * The address to connect to. Refuses the name when any of its addresses is not allowed: a name with public and internal
 * addresses is suspicious.
 */
export async function checkedAddress(
  url: URL,
  { resolve, allowed }: { resolve: Resolve; allowed: (address: Address) => boolean },
): Promise<Address> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const addresses =
    family === 0 ? await resolve(host) : [{ address: host, family: family === 6 ? 6 : 4 } as const]
  const [first] = addresses
  if (!first || !addresses.every(allowed)) throw new SamlProblem('address_refused', url.hostname)
  return first
}
