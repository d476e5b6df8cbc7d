/** Maximum size of one answer, ten times the largest genuine one (a key set). */
const maxBytes = 256 * 1024

/** fetch() that fails when the answer is larger than the maximum. */
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
