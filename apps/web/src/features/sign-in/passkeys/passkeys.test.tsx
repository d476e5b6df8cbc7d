import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { session } from '../../../lib/session/store.ts'

const buffer = (...bytes: number[]) => new Uint8Array(bytes).buffer

/** Bytes that differ between base64 and base64url. */
const raw = buffer(251, 255, 254)
const shown = {
  id: '-__-',
  rawId: raw,
  response: {
    clientDataJSON: buffer(1),
    authenticatorData: buffer(2),
    signature: buffer(3, 4),
    userHandle: buffer(5, 6, 7),
  },
}
const made = {
  id: '-__-',
  rawId: raw,
  response: { clientDataJSON: buffer(1), attestationObject: buffer(2), getTransports: () => ['internal'] },
}
const requested = { rpId: 'localhost', challenge: '-__-', timeout: 300_000, userVerification: 'required' }
const blueLaptop = {
  id: '0197a000-0000-7000-8000-000000000007',
  name: 'Blue laptop',
  synced: true,
  created_at: '2026-11-03T10:00:00.000Z',
  last_used_at: null,
}
const at = `/api/user/passkeys/${blueLaptop.id}`

/** The browser's passkey API, which jsdom lacks. By default it offers no passkey. */
const browser = {
  offers: vi.fn(),
  signalUnknownCredential: vi.fn(),
  create: vi.fn(),
  get: vi.fn<(options: CredentialRequestOptions) => Promise<unknown>>(),
}
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const each of Object.values(browser)) each.mockReset()
  browser.offers.mockResolvedValue(false)
  vi.stubGlobal('PublicKeyCredential', {
    isConditionalMediationAvailable: browser.offers,
    signalUnknownCredential: browser.signalUnknownCredential,
  })
  Object.defineProperty(navigator, 'credentials', {
    value: { create: browser.create, get: browser.get },
    configurable: true,
  })
})

/** Rejects when called. */
const refusing = (name: string) => () => Promise.reject(new DOMException('no', name))

describe('signing in with a passkey [screen:login.passkey]', () => {
  async function signIn() {
    const visitor = await visit({ path: '/login' })
    visitor.server
      .answer('passkeys.beginSignIn', { data: requested })
      .answer('passkeys.signIn', { data: sessionUser({ plan: null }) })
    visitor.open()
    return {
      ...visitor,
      passkeyButton: await screen.findByRole('button', { name: 'Sign in with a passkey' }),
    }
  }

  test('the button asks the browser and sends its answer as base64url', async () => {
    browser.get.mockResolvedValue(shown)
    const { passkeyButton, keyboard, server } = await signIn()
    await keyboard.click(passkeyButton)
    await waitFor(() => expect(address()).toBe('/signup/plan'))
    const asked = browser.get.mock.calls[0]?.[0]
    expect(asked?.mediation).toBeUndefined()
    expect(asked?.publicKey).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect([...new Uint8Array(asked?.publicKey?.challenge as ArrayBuffer)]).toEqual([251, 255, 254]) // as: made from bytes
    expect(server.asked('passkeys.signIn')[0]?.body).toEqual({
      credential: {
        id: '-__-',
        rawId: '-__-',
        type: 'public-key',
        response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'AwQ', userHandle: 'BQYH' },
      },
    })
  })

  test('closing the browser’s dialog is no error', async () => {
    browser.get.mockImplementation(refusing('NotAllowedError'))
    const { passkeyButton, keyboard, server } = await signIn()
    await keyboard.click(passkeyButton)
    await waitFor(() => expect(passkeyButton).not.toHaveAttribute('aria-busy'))
    expect(server.asked('passkeys.signIn')).toHaveLength(0)
    expect(screen.queryByText(/couldn’t use a passkey/)).toBeNull()
  })

  test('a browser without support shows an error', async () => {
    browser.get.mockImplementation(refusing('SecurityError'))
    const { passkeyButton, keyboard } = await signIn()
    await keyboard.click(passkeyButton)
    expect(
      await screen.findByText('Your browser couldn’t use a passkey here. Please sign in another way.'),
    ).toBeVisible()
  })

  test('a refusal shows the server’s message, and the browser forgets a removed passkey', async () => {
    browser.get.mockResolvedValue(shown)
    const { passkeyButton, keyboard, server } = await signIn()
    server.answer('passkeys.signIn', {
      status: 422,
      json: { message: 'It is gone', code: 'passkey_unknown' },
    })
    await keyboard.click(passkeyButton)
    expect(await screen.findByText('It is gone')).toBeVisible()
    expect(browser.signalUnknownCredential).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: '-__-' })
    expect(session.get()).toBeNull()
  })

  test('the email field offers passkeys, and stops while the button asks', async () => {
    browser.offers.mockResolvedValue(true)
    const offer = Promise.withResolvers<unknown>()
    browser.get.mockReturnValueOnce(offer.promise).mockResolvedValueOnce(shown)
    const { passkeyButton, keyboard } = await signIn()
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username webauthn')
    await waitFor(() => expect(browser.get).toHaveBeenCalledOnce())
    const first = browser.get.mock.calls[0]?.[0]
    expect(first?.mediation).toBe('conditional')
    first?.signal?.addEventListener('abort', () => offer.reject(first.signal?.reason))
    await keyboard.click(passkeyButton)
    await waitFor(() => expect(address()).toBe('/signup/plan'))
    expect(first?.signal?.aborted).toBe(true)
  })

  test('a passkey chosen in the email field signs in', async () => {
    browser.offers.mockResolvedValue(true)
    browser.get.mockResolvedValueOnce(shown)
    await signIn()
    await waitFor(() => expect(address()).toBe('/signup/plan'))
  })

  test('autofill that fails stays silent and is not repeated', async () => {
    browser.offers.mockResolvedValue(true)
    browser.get.mockImplementation(refusing('NotAllowedError'))
    const { server } = await signIn()
    await waitFor(() => expect(browser.get).toHaveBeenCalledOnce())
    expect(server.asked('passkeys.beginSignIn')).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a browser without passkeys shows no button', async () => {
    Reflect.deleteProperty(window, 'PublicKeyCredential')
    const visitor = await visit({ path: '/login' })
    visitor.open()
    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  })
})

describe('passkeys in the profile [screen:profile.passkeys]', () => {
  const creation = {
    rp: { id: 'localhost', name: 'Plinth' },
    user: { id: '-__-', name: 'mara@northquay.studio', displayName: 'Mara Aldous' },
    challenge: 'AQID',
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    timeout: 300_000,
    excludeCredentials: [{ id: 'BAUG', type: 'public-key', transports: ['usb'] }],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }

  async function open(list: unknown[] = [blueLaptop]) {
    const visitor = await visit({ path: '/account/profile', user: sessionUser() })
    visitor.server
      .answer('profile.read', { data: profileOf(sessionUser()) })
      .answer('passkeys.list', { data: list })
      .answer('passkeys.begin', { data: creation })
    visitor.open()
    const section = within(await screen.findByRole('region', { name: 'Passkeys' }))
    return { ...visitor, section }
  }

  test('lists each passkey with its details', async () => {
    const { section } = await open([
      blueLaptop,
      { ...blueLaptop, id: 'x', name: 'Stick', synced: false, last_used_at: '2026-11-20T10:00:00.000Z' },
    ])
    const [first, second] = section.getAllByRole('listitem')
    expect(first).toHaveTextContent('Blue laptopadded Nov 3, 2026 · not used yet · synced between devices')
    expect(second).toHaveTextContent('Stickadded Nov 3, 2026 · last used Nov 20, 2026')
  })

  test('adds a passkey from the browser and asks for its name', async () => {
    browser.create.mockResolvedValue(made)
    const { section, server, keyboard } = await open([])
    expect(section.getByText('You have no passkey yet.')).toBeVisible()
    server.answer('passkeys.add', { data: blueLaptop })
    await keyboard.click(section.getByRole('button', { name: 'Add a passkey' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Your passkey is ready' }))
    // The passkey exists already, so this button is not called Cancel.
    expect(dialog.getByRole('button', { name: 'Skip' })).toBeVisible()
    expect(dialog.queryByRole('button', { name: 'Cancel' })).toBeNull()
    expect(server.asked('passkeys.add')[0]?.body).toEqual({
      credential: {
        id: '-__-',
        rawId: '-__-',
        type: 'public-key',
        response: { clientDataJSON: 'AQ', attestationObject: 'Ag', transports: ['internal'] },
      },
    })
    const { publicKey } = browser.create.mock.calls[0]?.[0] ?? {}
    expect([...publicKey.user.id]).toEqual([251, 255, 254])
    expect([...publicKey.excludeCredentials[0].id]).toEqual([4, 5, 6])
    server.answer(`PATCH ${at}`, { data: { ...blueLaptop, name: 'Red laptop' } })
    server.answer('passkeys.list', { data: [{ ...blueLaptop, name: 'Red laptop' }] })
    await keyboard.clear(dialog.getByLabelText('Name'))
    await keyboard.type(dialog.getByLabelText('Name'), 'Red laptop{Enter}')
    expect(await section.findByText('Red laptop')).toBeVisible()
    expect(server.asked(`PATCH ${at}`)[0]?.body).toEqual({ name: 'Red laptop' })
  })

  test('an old sign-in asks for the password first', async () => {
    browser.create.mockImplementation(refusing('NotAllowedError'))
    const { section, server, keyboard } = await open()
    server.answer('passkeys.begin', ({ body }) =>
      JSON.stringify(body).includes('limestone-1!')
        ? { data: creation }
        : { status: 403, json: { message: 'Prove it', code: 'proof_required', inputError: 'password' } },
    )
    await keyboard.click(section.getByRole('button', { name: 'Add a passkey' }))
    const dialog = within(await screen.findByRole('dialog'))
    await keyboard.type(dialog.getByLabelText(/password/i, { selector: 'input' }), 'limestone-1!{Enter}')
    await waitFor(() => expect(browser.create).toHaveBeenCalledOnce())
    expect(server.asked('passkeys.add')).toHaveLength(0)
  })

  test.each([
    ['InvalidStateError', 'This device already has a passkey for you.'],
    ['ConstraintError', 'This device can’t verify it’s you. Set up a screen lock, fingerprint or PIN first.'],
    ['UnknownError', 'Your browser couldn’t create a passkey. Please try again.'],
  ])('%s has a text', async (name, words) => {
    browser.create.mockImplementation(refusing(name))
    const { section, keyboard } = await open()
    await keyboard.click(section.getByRole('button', { name: 'Add a passkey' }))
    expect(await screen.findByText('No passkey was added')).toBeVisible()
    expect(screen.getByText(words)).toBeVisible()
  })

  test('closing the browser’s dialog shows no error', async () => {
    browser.create.mockImplementation(refusing('NotAllowedError'))
    const { section, server, keyboard } = await open()
    const button = section.getByRole('button', { name: 'Add a passkey' })
    await keyboard.click(button)
    await waitFor(() => expect(browser.create).toHaveBeenCalledOnce())
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
    expect(server.asked('passkeys.add')).toHaveLength(0)
    expect(screen.queryByText('No passkey was added')).toBeNull()
  })

  test('removing asks first, then refetches the list', async () => {
    const { section, server, keyboard } = await open()
    await keyboard.click(section.getByRole('button', { name: 'Remove Blue laptop' }))
    const dialog = within(
      await screen.findByRole('alertdialog', { name: 'Remove the passkey “Blue laptop”?' }),
    )
    server.answer(`DELETE ${at}`, { data: {} }).answer('passkeys.list', { data: [] })
    await keyboard.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await section.findByText('You have no passkey yet.')).toBeVisible()
    expect(await screen.findByText('Blue laptop removed')).toBeVisible()
  })
})
