import { describe, expect, test } from 'vitest'
import { isApiKey, maskApiKey, newApiKey } from './api-key.ts'

describe('the form of a key [T-40]', () => {
  test('begins with what scanners look for, and says whether real cards are charged', () => {
    expect(newApiKey('live')).toMatch(/^plinth_live_[0-9A-Za-z]{38}$/)
    expect(newApiKey('test')).toMatch(/^plinth_test_[0-9A-Za-z]{38}$/)
  })

  test('is known by its checksum; one wrong letter and it is none', () => {
    const key = newApiKey('test')
    expect(isApiKey(key)).toBe(true)
    for (let at = 0; at < key.length; at++) {
      const other = key[at] === 'a' ? 'b' : 'a'
      expect(isApiKey(key.slice(0, at) + other + key.slice(at + 1)), `letter ${at}`).toBe(false)
    }
    for (const none of ['', 'plinth_test_', `${key}x`, key.slice(1), key.replace('test', 'live'), `${key}\n`])
      expect(isApiKey(none)).toBe(false)
  })

  test('is never the same, and masked it gives nothing to guess with', () => {
    const keys = Array.from({ length: 1000 }, () => newApiKey('test'))
    expect(new Set(keys).size).toBe(1000)
    // All 62 characters come up.
    expect(new Set(keys.flatMap(key => [...key.slice(12, 44)])).size).toBe(62)
    const [key = ''] = keys
    expect(maskApiKey(key)).toBe(`${key.slice(0, 16)}••••••••${key.slice(-4)}`)
  })
})
