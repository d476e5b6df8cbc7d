/** The most bytes of one answer. The largest genuine ones, key sets, need a tenth of that. */
const maxBytes = 256 * 1024

/** fetch for what providers answer: stops reading where an answer is longer than any genuine one. */
export async function fetchCapped(url: string, options?: RequestInit): Promise<Response> {
  const response = await fetch(url, options)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`${url.split('?', 1)[0]} answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(size ? Buffer.concat(chunks) : null, { status, statusText, headers })
}
