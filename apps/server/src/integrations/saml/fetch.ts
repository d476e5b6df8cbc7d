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
 * Fetches metadata from a user-supplied URL. Allows only https to public addresses: resolves the name once, checks its
 * addresses and connects to the checked one, so that DNS rebinding fails. No redirects, no compression, at most 256 kB
 * and five seconds.
 * @param options.sandboxOrigin origin of the sandbox, the only one that may use http and loopback
 * @param options.guard called first; throws inside an open transaction, where no network call is allowed
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
    // Refuse compression: the decompressed size is unknown.
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
      // No agent: no proxy from the environment and no reused connection.
      agent: false,
      signal,
      // Replaces DNS. Not called for a literal address, which is already checked.
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

/** A DNS query cannot be cancelled, so stop waiting for it instead. */
async function withDeadline<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, late])
}
