import type { SessionUser } from '@plinth/contract'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { navigate } from '../../../lib/navigate.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const off = { '2fa_enabled': false, enabled_at: null, has_backup_code: false }
const on = { '2fa_enabled': true, enabled_at: '2026-11-20T17:26:00.000Z', has_backup_code: true }
const begun = {
  '2fa_enabled': false,
  qr_code: 'data:image/svg+xml;base64,PHN2Zy8+',
  secret: 'K7QM2XWDRT5A9LNEK7QM2XWDRT5A9LNE',
}
const proven = { backup_code: 'F4KD-91QT-XM27-BW8E-0000-0000', token: 'token-of-proven-mara' }

async function settings(now: object, language: 'en' | 'de' = 'en', more: Partial<SessionUser> = {}) {
  const user = sessionUser({ locale: language, ...more })
  const visitor = await visit({ path: '/account/2fa', user, language })
  visitor.server
    .answer('twoFactor.read', { data: now })
    .answer('profile.read', { data: profileOf(user) })
    .answer('twoFactor.change', { data: begun })
    .answer('twoFactor.verify', { data: proven })
  visitor.open()
  await screen.findByRole('switch')
  return visitor
}
const flip = () => screen.getByRole('switch', { name: 'Ask for a code at sign-in' })
const proofRequired = {
  status: 403,
  json: { message: 'It’s been a while.', code: 'proof_required', inputError: 'password' },
}

describe('[route:/account/2fa]', () => {
  test('[screen:2fa.switch] [screen:2fa.qr] [state:2fa.on] the switch shows the key as QR code and text, and asks for a code', async () => {
    const { server, keyboard } = await settings(off)
    expect(flip()).toHaveAttribute('aria-checked', 'false')
    expect(screen.getByText('Two-factor is off')).toBeVisible()
    await keyboard.click(flip())
    const picture = await screen.findByRole('img', { name: /^QR code/ })
    expect(picture).toHaveAttribute('src', begun.qr_code)
    expect(screen.getByText('K7QM 2XWD RT5A 9LNE K7QM 2XWD RT5A 9LNE')).toBeVisible()
    expect(screen.getByText('Almost done. Enter a code below to turn it on.')).toBeVisible()
    expect(server.asked('twoFactor.change')[0]?.body).toEqual({ '2fa_enabled': true })
  })

  test('[rule:required.code] an empty code is rejected with the label of its field', async () => {
    const { server, keyboard } = await settings(off)
    await keyboard.click(flip())
    await keyboard.click(await screen.findByRole('button', { name: 'Verify and turn on' }))
    expect(await screen.findByText('Code from your app is required')).toBeVisible()
    expect(server.asked('twoFactor.verify')).toEqual([])
  })

  test('[screen:2fa.backup-code] [screen:2fa.texts] a code turns it on, and the backup code shows once', async () => {
    const { server, keyboard } = await settings(off)
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Code from your app'), '407123')
    expect(await screen.findByText(proven.backup_code)).toBeVisible()
    expect(screen.getByText('Two-factor is on')).toBeVisible()
    const dialog = screen.getByRole('dialog', { name: 'Your backup code' })
    expect(dialog).toContainElement(document.activeElement as HTMLElement) // as: the document has a focus
    expect(screen.getByRole('switch', { hidden: true })).toHaveAttribute('aria-checked', 'true')
    expect(server.asked('twoFactor.verify').map(({ body }) => body)).toEqual([{ code: '407123' }])
    expect(session.get()?.token).toBe(proven.token)
    await keyboard.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText('Save the code first. It won’t be shown again.')).toBeVisible()
    server.answer('twoFactor.read', { data: on })
    await keyboard.click(screen.getByRole('checkbox', { name: 'I’ve saved this code somewhere safe' }))
    await keyboard.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText(proven.backup_code)).toBeNull())
    expect(screen.getByText('New phone?')).toBeVisible()
    expect(flip()).toHaveFocus()
  })

  test('an unsaved backup code survives Escape and Back, and the browser asks before unload', async () => {
    const { server, keyboard } = await settings(off)
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Code from your app'), '407123')
    const dialog = await screen.findByRole('dialog', { name: 'Your backup code' })
    fireEvent(dialog, new Event('cancel', { cancelable: true }))
    expect(await screen.findByText('Save the code first. It won’t be shown again.')).toBeVisible()
    const unload = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(unload)
    expect(unload.defaultPrevented).toBe(true)
    server.answer('twoFactor.read', { data: on })
    act(() => navigate('/account/profile'))
    await waitFor(() => expect(screen.queryByText(proven.backup_code)).toBeNull())
    act(() => navigate('/account/2fa'))
    expect(await screen.findByText(proven.backup_code)).toBeVisible()
  })

  test('a wrong code shows an error and empties the slots', async () => {
    const { server, keyboard } = await settings(off)
    server.answer('twoFactor.verify', {
      status: 422,
      json: { message: 'That code isn’t right.', code: 'code_wrong', inputError: 'code' },
    })
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Code from your app'), '111111')
    expect(await screen.findByText('That code isn’t right.')).toBeVisible()
    expect(screen.getByLabelText('Code from your app')).toHaveValue('')
    expect(screen.getByLabelText('Code from your app')).toHaveFocus()
  })

  test('an expired set-up starts again', async () => {
    const { server, keyboard } = await settings(off)
    const json = { message: 'This set-up has expired.', code: 'two_factor_not_begun' }
    server.answer('twoFactor.verify', { status: 409, json })
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Code from your app'), '111111')
    expect(await screen.findByText('This set-up has expired.')).toBeVisible()
    expect(flip()).toHaveAttribute('aria-checked', 'false')
  })

  test('the set-up can be cancelled by its button and by the switch', async () => {
    const { server, keyboard } = await settings(off)
    await keyboard.click(flip())
    await keyboard.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
    await keyboard.click(flip())
    await screen.findByRole('img', { name: /^QR code/ })
    await keyboard.click(flip())
    expect(screen.queryByRole('img', { name: /^QR code/ })).toBeNull()
    expect(server.asked('twoFactor.change').every(({ body }) => JSON.stringify(body).includes('true'))).toBe(
      true,
    )
  })

  test('the backup code can be copied and downloaded', async () => {
    const made = vi.fn(() => 'blob:code')
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: vi.fn() }))
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
    const { keyboard } = await settings(off)
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Code from your app'), '407123')
    await screen.findByText(proven.backup_code)
    await keyboard.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe(proven.backup_code)
    await keyboard.click(screen.getByRole('button', { name: 'Download' }))
    expect(clicked).toHaveBeenCalledOnce()
    const [file] = made.mock.calls[0] as unknown as [Blob] // as: the one argument of createObjectURL
    expect(await file.text()).toContain(proven.backup_code)
  })

  test('[T-18] an old sign-in asks for the password before the set-up', async () => {
    const { server, keyboard } = await settings(off)
    server.answer('twoFactor.change', asked =>
      JSON.stringify(asked.body).includes('password') ? { data: begun } : proofRequired,
    )
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Your password'), 'stone!123{Enter}')
    expect(await screen.findByRole('img', { name: /^QR code/ })).toBeVisible()
    expect(server.asked('twoFactor.change').at(-1)?.body).toEqual({
      '2fa_enabled': true,
      password: 'stone!123',
    })
  })
})

describe('[state:2fa.off] turning it off', () => {
  test('[T-18] asks first, and for the password in the same dialog', async () => {
    const { server, keyboard } = await settings(on)
    expect(screen.getByText(/^Turned on 20 Nov 2026|^Turned on Nov 20, 2026/)).toBeVisible()
    server.answer('twoFactor.change', proofRequired)
    await keyboard.click(flip())
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn off two-factor sign-in?' })
    await keyboard.click(within(dialog).getByRole('button', { name: 'Turn off' }))
    server
      .answer('twoFactor.change', { data: { '2fa_enabled': false } })
      .answer('twoFactor.read', { data: off })
    await keyboard.type(await screen.findByLabelText('Your password'), 'stone!123{Enter}')
    expect(await screen.findByText('Two-factor is off')).toBeVisible()
    expect(flip()).toHaveAttribute('aria-checked', 'false')
    expect(server.asked('twoFactor.change').at(-1)?.body).toEqual({
      '2fa_enabled': false,
      password: 'stone!123',
    })
  })

  test('cancelling keeps it on', async () => {
    const { server, keyboard } = await settings(on)
    await keyboard.click(flip())
    await keyboard.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(flip()).toHaveAttribute('aria-checked', 'true')
    expect(server.asked('twoFactor.change')).toHaveLength(0)
  })
})

describe('setting it up again', () => {
  test('for a new phone: the old one works until then', async () => {
    const { keyboard } = await settings(on)
    await keyboard.click(screen.getByRole('button', { name: 'Set up again' }))
    expect(await screen.findByText(/^This is a new key/)).toBeVisible()
    expect(flip()).toHaveAttribute('aria-checked', 'true')
    await keyboard.type(screen.getByLabelText('Code from your app'), '407123')
    expect(await screen.findByText(proven.backup_code)).toBeVisible()
  })
})

describe('a new backup code', () => {
  test('when the old one is used', async () => {
    const { server, keyboard } = await settings({ ...on, has_backup_code: false })
    expect(screen.getByText('You’ve used your backup code')).toBeVisible()
    expect(screen.queryByText(/^You have one left/)).toBeNull()
    server.answer('twoFactor.renewBackupCode', { data: { backup_code: proven.backup_code } })
    await keyboard.click(screen.getByRole('button', { name: 'Get a new code' }))
    expect(await screen.findByText(proven.backup_code)).toBeVisible()
  })

  test('[T-18] while one is left, with the password when the sign-in is old', async () => {
    const { server, keyboard } = await settings(on)
    expect(screen.getByText(/^You have one left/)).toBeVisible()
    server.answer('twoFactor.renewBackupCode', asked =>
      JSON.stringify(asked.body).includes('password')
        ? { data: { backup_code: proven.backup_code } }
        : proofRequired,
    )
    await keyboard.click(screen.getByRole('button', { name: 'Get a new backup code' }))
    await keyboard.type(await screen.findByLabelText('Your password'), 'stone!123{Enter}')
    expect(await screen.findByText(proven.backup_code)).toBeVisible()
    await keyboard.click(screen.getByRole('checkbox', { name: 'I’ve saved this code somewhere safe' }))
    await keyboard.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText(proven.backup_code)).toBeNull())
    expect(server.asked('twoFactor.renewBackupCode').at(-1)?.body).toEqual({ password: 'stone!123' })
  })
})

describe('a master without a second factor', () => {
  const unenrolled = { permission: 'master', second_factor_required: true } as const

  test('reads why it is required, and continues after the set-up', async () => {
    const { keyboard } = await settings(off, 'en', unenrolled)
    expect(screen.getByText('Two-factor sign-in is required')).toBeVisible()
    await keyboard.click(flip())
    await keyboard.type(await screen.findByLabelText('Code from your app'), '407123')
    expect(await screen.findByText(proven.backup_code)).toBeVisible()
    expect(screen.queryByText('Two-factor sign-in is required')).not.toBeInTheDocument()
    expect(session.get()).toMatchObject({ token: proven.token, second_factor_required: false })
  })

  test('with a second factor is asked to sign in with it', async () => {
    await settings(on, 'en', unenrolled)
    expect(screen.getByText(/^Sign out, then sign in again/)).toBeVisible()
  })
})

test('[error:fetch] a failed load says so and can be retried', async () => {
  const visitor = await visit({ path: '/account/2fa', user: sessionUser() })
  visitor.server.answer('twoFactor.read', { status: 500, json: { message: 'The roof is leaking' } })
  visitor.open()
  expect(await screen.findByText('Your two-factor settings didn’t load')).toBeVisible()
  visitor.server.answer('twoFactor.read', { data: off })
  await visitor.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('switch')).toBeVisible()
})

test('[feature:translated] the screen is translated to German', async () => {
  await settings(off, 'de')
  expect(screen.getByText('Zwei-Faktor-Anmeldung ist aus')).toBeVisible()
})
