import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import {
  type Address,
  checkedAddress,
  isLoopback,
  isPublicAddress,
  type Resolve,
  resolveByDns,
} from './addresses.ts'
import { SamlProblem } from './problem.ts'
import { decodeBytes, MAX_BYTES } from './xml-text.ts'

/**
 * Fetches a metadata document from an address that an owner typed. Only https to the open internet: the name is
 * resolved once, its addresses are checked, and the connection goes to the checked one whatever the name says later.
 * No redirects, no compression, 256 kB, five seconds in all.
 * @param options.sandboxOrigin the one origin that may be http and loopback: the sandbox's, where there is one
 * @param options.guard called first, to throw where nothing may wait for the world: inside an open transaction
 */
export async function fetchMetadata(
  address: string,
  options: { sandboxOrigin?: string | null; resolve?: Resolve; guard?: () => void; timeoutMs?: number } = {},
): Promise<string> {
  const { sandboxOrigin = null, resolve = resolveByDns, guard, timeoutMs = 5000 } = options
  guard?.()
  const url = address.length <= 2048 && URL.canParse(address) ? new URL(address) : null
  if (!url || `${url.username}${url.password}` !== '') throw new SamlProblem('address_refused')
  const sandbox = url.origin === sandboxOrigin
  if (url.protocol !== 'https:' && !sandbox) throw new SamlProblem('address_refused', url.protocol)

  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const allowed = sandbox ? isLoopback : isPublicAddress
    const checked = await withDeadline(signal, checkedAddress(url, { resolve, allowed }))
    return decodeBytes(await readBody(url, checked, signal))
  } catch (cause) {
    throw cause instanceof SamlProblem ? cause : new SamlProblem('unreachable', url.hostname, cause)
  }
}

async function readBody(url: URL, checked: Address, signal: AbortSignal): Promise<Buffer> {
  const response = await sendRequest(url, checked, signal)
  try {
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400) throw new SamlProblem('redirected')
    if (statusCode !== 200) throw new SamlProblem('bad_answer', String(statusCode))
    // Nothing was accepted but plain bytes; packed ones could be any size once unpacked.
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new SamlProblem('bad_answer')
    if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw new SamlProblem('too_large')
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      // as: no encoding is set, so chunks are buffers
      size += chunk.length
      if (size > MAX_BYTES) throw new SamlProblem('too_large')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    response.destroy()
  }
}

function sendRequest(url: URL, { address, family }: Address, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? overHttps : overHttp
    const sent: ClientRequest = send(url, {
      // Of its own, without the environment's proxy and without a connection that was opened under another check.
      agent: false,
      signal,
      // Called instead of DNS; for a literal address it is not called at all, and that one was checked.
      lookup: (_host, { all }, done) =>
        all ? done(null, [{ address, family }]) : done(null, address, family),
      headers: {
        accept: 'application/samlmetadata+xml, application/xml, text/xml',
        'accept-encoding': 'identity',
      },
    })
    sent.on('response', resolve).on('error', reject).end()
  })
}

/** DNS itself can't be stopped, but it need not be waited for. */
async function withDeadline<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late])
}
