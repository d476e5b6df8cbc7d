import { createHmac } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import { callApi } from '../api.ts'
import { expect } from '../test.ts'
import type { Person } from './people.ts'

/**
 * An authenticator app with a secret. Each code works once and the server accepts the code of the next 30 seconds, so
 * two codes are available without waiting. An older code could expire before the server checks it.
 */
export function createAuthenticatorApp(secret: string) {
  let last = 0
  return {
    nextCode(): string {
      const now = Math.floor(Date.now() / 30_000)
      last = Math.max(last + 1, now)
      expect(last, 'no unused code is valid now').toBeLessThanOrEqual(now + 1)
      return codeAt(secret, last)
    },
    /** Six digits that are not a valid code within 90 seconds of now. */
    wrongCode(): string {
      const now = Math.floor(Date.now() / 30_000)
      const right = [-3, -2, -1, 0, 1, 2, 3].map(step => codeAt(secret, now + step))
      return Array.from({ length: 8 }, (_, n) => `00000${n}`).find(code => !right.includes(code)) ?? ''
    },
  }
}
export type AuthenticatorApp = ReturnType<typeof createAuthenticatorApp>

/** The code of a 30-second step (RFC 6238) for a Base32 secret (RFC 4648). */
function codeAt(secret: string, step: number): string {
  const bits = [...secret].map(letter =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', Buffer.from(bytes.map(byte => Number.parseInt(byte, 2))))
    .update(counter)
    .digest()
  const number = hash.readUInt32BE(hash.readUInt8(19) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

type PersonWithApp = Person & { app: AuthenticatorApp; backup: string }

/** Enables the second factor of a person, who stays signed in. */
export async function enableTwoFactor(person: Person): Promise<PersonWithApp> {
  const { serverUrl } = person
  const { token } = person.user
  const setup = await callApi<{ secret: string }>('PUT', '/api/user/2fa', {
    token,
    body: { '2fa_enabled': true },
    serverUrl,
  })
  const app = createAuthenticatorApp(setup.data.secret)
  const body = { code: app.nextCode() }
  const verified = await callApi<{ token: string; backup_code: string }>('POST', '/api/user/2fa/verify', {
    token,
    body,
    serverUrl,
  })
  expect(verified.status).toBe(200)
  const user = { ...person.user, token: verified.data.token, second_factor_required: false }
  return { ...person, user, app, backup: verified.data.backup_code }
}

/** Reads the QR code from its pixels, as the camera of a phone does. */
export async function scanQrCode(image: Locator): Promise<{ uri: string; app: AuthenticatorApp }> {
  const pixels = await image.evaluate(async image => {
    if (!(image instanceof HTMLImageElement)) throw new Error('The QR code is not an image')
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 600
    const context = canvas.getContext('2d')
    if (!context) throw new Error('The canvas has no 2D context')
    context.fillStyle = '#fff'
    context.fillRect(0, 0, 600, 600)
    context.imageSmoothingEnabled = false
    context.drawImage(image, 30, 30, 540, 540)
    // One letter per pixel: transferring a list of numbers takes seconds.
    const { data } = context.getImageData(0, 0, 600, 600)
    return Array.from({ length: data.length / 4 }, (_, n) => ((data[4 * n] ?? 0) > 127 ? 'w' : 'b')).join('')
  })
  const data = Uint8ClampedArray.from([...pixels].flatMap(point => Array(4).fill(point === 'w' ? 255 : 0)))
  const uri = decodeQR({ width: 600, height: 600, data })
  return { uri, app: createAuthenticatorApp(new URL(uri).searchParams.get('secret') ?? '') }
}

export const codeField = (page: Page, label = 'One-time code'): Locator =>
  page.getByLabel(label, { exact: true })

/** Types the code; the last digit submits it. */
export async function typeCode(page: Page, code: string, label?: string): Promise<void> {
  await codeField(page, label).pressSequentially(code)
}

export async function typeBackupCode(page: Page, code: string, label: string): Promise<void> {
  await codeField(page, label).fill(code)
  await page.keyboard.press('Enter')
}
