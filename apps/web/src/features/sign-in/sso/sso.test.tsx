import type { SsoSetup } from '@plinth/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { takeLinkToken } from '../../../lib/link-token.ts'
import { session } from '../../../lib/session/store.ts'

const leave = vi.hoisted(() => vi.fn())
vi.mock('../social/open-url.ts', () => ({ openUrl: leave }))

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  leave.mockReset()
})

describe('[route:/login/saml]', () => {
  test('asks for the work address and sends only its domain', async () => {
    const { open, keyboard } = await visit({ path: '/login/saml' })
    open()
    await keyboard.type(await screen.findByLabelText('Work email'), 'Ida@Northquay.Example')
    await keyboard.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/auth/saml?domain=northquay.example'))
  })

  test('an account’s own link waits for a click', async () => {
    const { open, keyboard } = await visit({ path: '/login/saml?domain=northquay.example' })
    open()
    const go = await screen.findByRole('button', { name: 'Continue to northquay.example' })
    expect(leave).not.toHaveBeenCalled()
    expect(address()).toBe('/login/saml')
    await keyboard.click(go)
    expect(leave).toHaveBeenCalledWith('/auth/saml?domain=northquay.example')
    await keyboard.click(screen.getByRole('button', { name: 'Use another address' }))
    expect(await screen.findByLabelText('Work email')).toHaveFocus()
  })

  test('a user who started at the provider continues with one click', async () => {
    const connection = '0197a000-0000-7000-8000-000000000001'
    const { open, keyboard } = await visit({ path: `/login/saml?connection=${connection}&begin=here` })
    open()
    expect(await screen.findByText(/To finish signing in, continue from here/)).toBeVisible()
    expect([leave.mock.calls, address()]).toEqual([[], '/login/saml'])
    await keyboard.click(screen.getByRole('button', { name: 'Continue' }))
    expect(leave).toHaveBeenCalledWith(`/auth/saml?connection=${connection}`)
  })

  test.each(['<b>evil</b>', 'https://evil.example/', 'x'.repeat(300)])(
    'an invalid domain is not shown: %s',
    async domain => {
      const { open } = await visit({ path: `/login/saml?domain=${encodeURIComponent(domain)}` })
      open()
      expect(await screen.findByLabelText('Work email')).toBeVisible()
      expect(screen.queryByText(domain)).toBeNull()
    },
  )

  test('an address without single sign-on shows an error, and its field has the focus', async () => {
    const { open } = await visit({ path: '/login/saml?error=sso_unknown' })
    open()
    expect(await screen.findByRole('alert')).toHaveTextContent('No single sign-on for this address')
    expect(screen.getByLabelText('Work email')).toHaveFocus()
    expect(address()).toBe('/login/saml')
  })
})

describe('[route:/login/saml/callback]', () => {
  const back = '/login/saml/callback?saml_callback=1&token=handed-over'

  test('[screen:saml.spinner] shows a spinner, then signs in; the token is in no URL and no storage', async () => {
    const visitor = await visit({ path: back })
    const answer = Promise.withResolvers<void>()
    visitor.server.answer('sso.finish', async () => {
      await answer.promise
      return { data: sessionUser({ verified: false, plan: null }) }
    })
    takeLinkToken()
    visitor.open()
    expect(await screen.findByText('Signing you in…')).toBeVisible()
    expect(address()).not.toContain('handed-over')
    answer.resolve()
    await waitFor(() => expect(session.get()?.token).toBe('token-of-mara'))
    expect(visitor.server.asked('sso.finish')[0]?.body).toEqual({ token: 'handed-over' })
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('handed-over')
  })

  test('a refusal of the provider says so, and the same connection can be tried again', async () => {
    const connection = '00000000-0000-4000-8000-0000000000c1'
    const visitor = await visit({
      path: `/login/saml/callback?saml_callback=1&error=denied&connection=${connection}`,
    })
    visitor.open()
    expect(await screen.findByRole('alert')).toHaveTextContent(/refused it, or you cancelled there/)
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(leave).toHaveBeenCalledWith(`/auth/saml?connection=${connection}`)
  })

  test('a missing token and a refusal show an error and lead back', async () => {
    const visitor = await visit({ path: '/login/saml/callback?saml_callback=1' })
    visitor.open()
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Something Went Wrong. Please try signing in again.',
    )
    expect(screen.getByRole('alert')).toHaveFocus()
    const title = 'Something Went Wrong. Please try signing in again.'
    expect(screen.getByRole('heading', { level: 1, name: title })).not.toHaveClass('sr')
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login')
    expect(visitor.server.asked('sso.finish')).toHaveLength(0)
  })

  test('a refusal shows the server’s message', async () => {
    const visitor = await visit({ path: back })
    visitor.server.answer('sso.finish', {
      status: 403,
      json: { message: 'Ask an owner for an invite', code: 'sso_not_member' },
    })
    takeLinkToken()
    visitor.open()
    expect(await screen.findByText('Ask an owner for an invite')).toBeVisible()
  })

  test('T-05: a signed-in user is asked before their session ends', async () => {
    const visitor = await visit({ path: back, user: sessionUser() })
    takeLinkToken()
    visitor.open()
    expect(await screen.findByText(/^You’re signed in as Mara Aldous\./)).toBeVisible()
    expect(visitor.server.asked('sso.finish')).toHaveLength(0)
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Stay signed in' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('handed-over')
  })
})

const person = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Mara Aldous',
  email: 'mara@northquay.studio',
  has_password: true,
  break_glass: false,
}
const provider: NonNullable<SsoSetup['connection']> = {
  id: '00000000-0000-4000-8000-0000000000c1',
  idp_entity_id: 'https://idp.example/metadata',
  sso_url: 'https://idp.example/sso',
  metadata_url: 'https://idp.example/metadata',
  certificates: [{ fingerprint: 'AB:CD', expires_at: '2020-01-01T00:00:00.000Z' }],
  signs_requests: false,
  default_role: 'user',
  tested_at: null,
  test: null,
  enabled: false,
  enforced: false,
}
function setup(connection: Partial<typeof provider> | null): SsoSetup {
  const at = 'http://localhost:3000/auth/saml'
  return {
    service: { entity_id: `${at}/metadata`, acs_url: `${at}/acs`, metadata_url: `${at}/metadata` },
    domains: [],
    connection: connection && { ...provider, ...connection },
    owners: [person],
  }
}

describe('[route:/account/sso] [feature:sso] the owner’s set-up', () => {
  async function open(connection: Parameters<typeof setup>[0]) {
    const visitor = await visit({ path: '/account/sso', user: sessionUser() })
    visitor.server.answer('sso.read', { data: setup(connection) })
    visitor.open()
    await screen.findByRole('heading', { level: 2, name: '4. Turn on' })
    return visitor
  }

  test('without a set-up, each step names its requirement', async () => {
    await open(null)
    expect(screen.getByText('Single sign-on is off')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Test sign-in' })).toBeDisabled()
    expect(screen.getByRole('switch', { name: 'Allow single sign-on' })).toBeDisabled()
    expect(screen.getByRole('switch', { name: 'Require single sign-on' })).toBeDisabled()
  })

  test('a failed test shows the reason, the advice, and the value found', async () => {
    await open({
      test: {
        at: new Date().toISOString(),
        code: 'audience',
        found: 'https://other.example',
        name_id: null,
        email: null,
        first_name: null,
        last_name: null,
      },
    })
    const result = screen.getByRole('status')
    expect(result).toHaveTextContent('Set the audience to our entity ID.')
    expect(within(result).getByText('https://other.example')).toBeVisible()
    expect(screen.getByText('Expired')).toBeVisible()
  })

  test('a code without its own text is shown', async () => {
    const nobody = { name_id: null, email: null, first_name: null, last_name: null }
    await open({ test: { at: new Date().toISOString(), code: 'signature_shape', found: null, ...nobody } })
    expect(screen.getByRole('status')).toHaveTextContent('signature_shape')
  })

  test('requiring SSO asks which owners keep another sign-in method, and sends them', async () => {
    const visitor = await open({ tested_at: '2026-01-01T00:00:00.000Z', enabled: true })
    visitor.server.answer('sso.change', {
      data: { ...setup({ enabled: true, enforced: true }), owners: [{ ...person, break_glass: true }] },
    })
    await visitor.keyboard.click(screen.getByRole('switch', { name: 'Require single sign-on' }))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('checkbox', { name: /Mara Aldous/ })).toBeChecked()
    await visitor.keyboard.click(within(dialog).getByRole('button', { name: 'Require SSO' }))
    expect(await screen.findByText('Single sign-on is required')).toBeVisible()
    expect(visitor.server.asked('sso.change')[0]?.body).toEqual({ enforced: true, break_glass: [person.id] })
    expect(screen.getByText('Other sign-in methods stay on for Mara Aldous.')).toBeVisible()
  })

  test('a failed load says so and can be retried', async () => {
    const visitor = await visit({ path: '/account/sso', user: sessionUser() })
    visitor.server.answer('sso.read', { status: 500, json: { message: 'no' } })
    visitor.open()
    expect(await screen.findByText('Single sign-on didn’t load')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
  })
})
