import { act, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../test/app.tsx'
import { fakeServer } from '../../test/server.ts'
import { ApiError } from '../lib/api/error.ts'
import { closeDialog, dialog, openDialog } from '../lib/dialog.ts'
import { Form } from '../lib/form/Form.tsx'
import { text } from '../lib/form/inputs.tsx'
import type { Proof } from '../lib/step-up/proof.tsx'
import { attemptWithStepUp } from '../lib/step-up/with-step-up.ts'
import { Toasts } from '../ui/overlay/Toasts.tsx'
import { ShellDialog } from './ShellDialog.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

const message = 'It’s been a while since you signed in.'
const refusal = (inputError?: string) => new ApiError(403, message, { code: 'proof_required', inputError })
const wrong = (inputError: string) => new ApiError(422, 'That’s not it', { code: 'wrong', inputError })
const done = { data: { id: 7 }, message: undefined }

/** A call that requires a proof, refuses the first one and accepts the second. */
function callRequiringProof(field: 'password' | 'code') {
  return vi
    .fn(async (_body: Proof & { name?: unknown }) => done)
    .mockRejectedValueOnce(refusal(field))
    .mockRejectedValueOnce(wrong(field))
}
const texts = { region: 'Notifications', one: 'Notification', close: 'Close' }

describe('a step-up in a form', () => {
  test.each([
    ['password', 'Your password', 'stone!12', '3', 'stone!123'],
    // A refused code is used up, so its field is cleared.
    ['code', 'Code from your authenticator app', '007123', '407123', '407123'],
  ] as const)(
    '[T-18] shows the field for the %s and repeats the call with it',
    async (field, label, first, more, second) => {
      const call = callRequiringProof(field)
      const keyboard = userEvent.setup()
      render(
        <Form
          inputs={{ name: text({ label: 'Name' }) }}
          call={({ body }) => call(body)}
          buttonText="Save"
          keep="guarded"
        />,
      )
      await keyboard.type(screen.getByLabelText('Name'), 'Laptop')
      await keyboard.click(screen.getByRole('button', { name: 'Save' }))
      expect(await screen.findByLabelText(label)).toHaveFocus()
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(message)
      await keyboard.keyboard(`${first}{Enter}`)
      await waitFor(() => expect(screen.getByLabelText(label)).toHaveAccessibleDescription('That’s not it'))
      expect(screen.getByLabelText(label)).toHaveFocus()
      expect(JSON.stringify({ ...sessionStorage })).not.toContain(first)
      await keyboard.keyboard(`${more}{Enter}`)
      await waitFor(() => expect(screen.queryByLabelText(label)).toBeNull())
      expect(call.mock.calls.map(([body]) => body)).toEqual([
        { name: 'Laptop' },
        { name: 'Laptop', [field]: first },
        { name: 'Laptop', [field]: second },
      ])
      await keyboard.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(call).toHaveBeenCalledTimes(4))
      expect(call.mock.calls[3]?.[0]).toEqual({ name: 'Laptop' })
    },
  )
})

describe('a step-up in the app’s dialog', () => {
  test('[T-18] the dialog gets a field for the proof', async () => {
    const call = callRequiringProof('password')
    const callback = vi.fn()
    const keyboard = userEvent.setup()
    render(<ShellDialog />)
    act(() =>
      openDialog({ title: 'Turn it off?', buttonText: 'Turn off', call: ({ body }) => call(body), callback }),
    )
    await keyboard.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByLabelText('Your password')).toHaveFocus()
    expect(screen.getByRole('dialog', { name: 'Turn it off?' })).toBeVisible()
    await keyboard.keyboard('a{Enter}')
    expect(await screen.findByText('That’s not it')).toBeVisible()
    await keyboard.keyboard('b{Enter}')
    await waitFor(() => expect(dialog.get().open).toBe(false))
    expect(callback).toHaveBeenCalledWith({ id: 7 }, expect.anything())
    expect(call.mock.calls.at(-1)?.[0]).toEqual({ password: 'ab' })
  })
})

describe('a step-up of a call outside a form', () => {
  test('[T-18] a dialog asks for the proof and returns the answer', async () => {
    const call = callRequiringProof('password')
    const keyboard = userEvent.setup()
    render(<ShellDialog />)
    const answer = attemptWithStepUp(call)
    await keyboard.type(await screen.findByLabelText('Your password'), 'a{Enter}')
    expect(await screen.findByText('That’s not it')).toBeVisible()
    await keyboard.type(screen.getByLabelText('Your password'), 'b{Enter}')
    expect(await answer).toEqual({ id: 7 })
  })

  test('cancelling returns null', async () => {
    render(<ShellDialog />)
    const answer = attemptWithStepUp(callRequiringProof('password'))
    await screen.findByLabelText('Your password')
    act(closeDialog)
    expect(await answer).toBeNull()
  })

  test('shows no dialog when no proof is required', async () => {
    expect(await attemptWithStepUp(async () => done)).toEqual({ id: 7 })
    expect(dialog.get().open).toBe(false)
  })

  test('shows the message to a user without any proof', async () => {
    render(<Toasts texts={texts} />)
    expect(await attemptWithStepUp(() => Promise.reject(refusal()))).toBeNull()
    expect(await screen.findByText(message)).toBeVisible()
    expect(dialog.get().open).toBe(false)
  })
})

describe('a step-up by passkey', () => {
  const buffer = (byte: number) => new Uint8Array([byte]).buffer
  const credential = {
    id: 'AQ',
    rawId: buffer(1),
    response: {
      clientDataJSON: buffer(1),
      authenticatorData: buffer(2),
      signature: buffer(3),
      userHandle: null,
    },
  }
  const options = {
    rpId: 'localhost',
    challenge: 'AQ',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [{ id: 'AQ', type: 'public-key', transports: ['internal'] }],
  }
  const get = vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>()
  const callRequiringPasskey = (inputError?: string) =>
    vi
      .fn(async (_body: Proof & { name?: unknown }) => done)
      .mockRejectedValueOnce(
        new ApiError(403, message, { code: 'proof_required', inputError, passkey: true }),
      )
  function browserWithPasskeys() {
    vi.stubGlobal('PublicKeyCredential', {})
    Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true })
    get.mockReset().mockResolvedValue(credential)
    return fakeServer()
      .answer('passkeys.beginProof', { data: options })
      .answer('passkeys.prove', { data: {} })
  }
  const button = () => screen.findByRole('button', { name: 'Use a passkey' })

  test('[T-18] a passkey submits the form without a typed proof', async () => {
    const server = browserWithPasskeys()
    const call = callRequiringPasskey('password')
    const keyboard = userEvent.setup()
    render(
      <Form inputs={{ name: text({ label: 'Name' }) }} call={({ body }) => call(body)} buttonText="Save" />,
    )
    await keyboard.type(screen.getByLabelText('Name'), 'Laptop{Enter}')
    expect(await screen.findByLabelText('Your password')).toHaveFocus()
    await keyboard.click(await button())
    await waitFor(() => expect(call).toHaveBeenCalledTimes(2))
    expect(call.mock.calls.map(([body]) => body)).toEqual([{ name: 'Laptop' }, { name: 'Laptop' }])
    expect(get.mock.calls[0]?.[0].publicKey?.allowCredentials).toMatchObject([
      { id: new Uint8Array([1]), transports: ['internal'] },
    ])
    expect(server.asked('passkeys.prove')[0]?.body).toEqual({
      credential: {
        id: 'AQ',
        rawId: 'AQ',
        type: 'public-key',
        response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw', userHandle: '' },
      },
    })
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull())
  })

  test('works without a typed proof and in a dialog; a cancelled prompt proves nothing', async () => {
    browserWithPasskeys()
    get.mockRejectedValueOnce(new DOMException('closed', 'NotAllowedError'))
    const call = callRequiringPasskey()
    const keyboard = userEvent.setup()
    render(<ShellDialog />)
    const answer = attemptWithStepUp(call)
    expect(await screen.findByText(message)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    await keyboard.click(await button())
    expect(call).toHaveBeenCalledTimes(1)
    await keyboard.click(await button())
    expect(await answer).toEqual({ id: 7 })
    expect(call.mock.calls[1]?.[0]).toEqual({})
  })

  test('a typed password is sent instead', async () => {
    browserWithPasskeys()
    const call = callRequiringPasskey('password')
    const keyboard = userEvent.setup()
    render(<ShellDialog />)
    const answer = attemptWithStepUp(call)
    await keyboard.click(await screen.findByRole('button', { name: 'Continue' }))
    expect(call).toHaveBeenCalledTimes(1)
    await keyboard.type(screen.getByLabelText('Your password'), 'stone{Enter}')
    expect(await answer).toEqual({ id: 7 })
    expect(call.mock.calls[1]?.[0]).toEqual({ password: 'stone' })
  })

  test('shows only the password field in a browser without passkeys', async () => {
    const call = callRequiringPasskey('password')
    render(<ShellDialog />)
    void attemptWithStepUp(call)
    expect(await screen.findByLabelText('Your password')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull()
    act(closeDialog)
  })
})
