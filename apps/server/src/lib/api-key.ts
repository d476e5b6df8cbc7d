import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `plinth_live_` or `plinth_test_`, 32 random characters (190 bits), 6 of a checksum over all before them. The prefix
 * lets scanners find a leaked key, the checksum tells a key from similar text without a query. docs/operations.md
 * publishes the pattern for scanners.
 */
const shape = /^plinth_(?:live|test)_[0-9A-Za-z]{38}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const length = { random: 32, checksum: 6 }

/** @param kind `live` where real cards are charged */
export function newApiKey(kind: 'live' | 'test'): string {
  const rest = `plinth_${kind}_${randomText(length.random)}`
  return rest + checksumOf(rest)
}

export const isApiKey = (text: string) =>
  shape.test(text) && checksumOf(text.slice(0, -length.checksum)) === text.slice(-length.checksum)

/** What may be shown of a key: enough to find it in a list, and in a file where it was left. */
export const maskApiKey = (key: string) => `${key.slice(0, 16)}••••••••${key.slice(-4)}`

function checksumOf(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let n = 0; n < length.checksum; n++) {
    out = digits.charAt(rest % 62) + out
    rest = Math.floor(rest / 62)
  }
  return out
}

/** Bytes past the last whole multiple of 62 are thrown away, so that each character is as likely as the others. */
function randomText(characters: number): string {
  let out = ''
  while (out.length < characters) {
    for (const byte of randomBytes(characters)) {
      if (byte < 248 && out.length < characters) out += digits.charAt(byte % 62)
    }
  }
  return out
}
