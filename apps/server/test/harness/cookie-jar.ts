/** The cookies of one browser in a test. */
export function openCookieJar() {
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map(pair => pair.join('=')).join('; ')
  return {
    /** The cookies as the text of a `cookie` header. */
    cookies,
    /** The headers of a request with these cookies. */
    headers: (): Record<string, string> => (jar.size ? { cookie: cookies() } : {}),
    /** Saves the cookies that a reply with these headers sets. */
    saveCookies(headers: Record<string, unknown>) {
      for (const line of [headers['set-cookie']].flat()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(String(line ?? '')) ?? []
        if (name && value) jar.set(name, value)
      }
    },
  }
}
