import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { takeLinkToken } from '../../lib/link-token.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

type Visit = Awaited<ReturnType<typeof visit>>
type Case = {
  path: string
  user?: ReturnType<typeof sessionUser>
  prepare?: (visitor: Visit) => unknown
  press?: string
  title: string
  next: string
}

const expired = { status: 422, json: { message: 'Expired', code: 'link_expired' } }
const unverified = () => sessionUser({ verified: false, plan: null, subscription: null })
const linkInfo = { data: { email: 'mara@northquay.studio', other_user: false } }

const cases: Record<string, Case> = {
  'a magic link without its secret': {
    path: '/magic',
    title: 'Magic Link Is Invalid',
    next: 'Back to sign in',
  },
  'a magic link that has expired': {
    path: '/magic?token=x',
    prepare: ({ server }) => server.answer('auth.lookAtLink', expired),
    title: 'Magic Link Is Invalid',
    next: 'Back to sign in',
  },
  'a magic link that could not be checked': {
    path: '/magic?token=x',
    prepare: ({ server }) => server.answer('auth.lookAtLink', new TypeError('Failed to fetch')),
    title: 'Your link couldn’t be checked',
    next: 'Try again',
  },
  'a magic link that expires when pressed': {
    path: '/magic?token=x',
    prepare: ({ server }) =>
      server.answer('auth.lookAtLink', linkInfo).answer('auth.verifyMagicLink', expired),
    press: 'Sign in',
    title: 'Magic Link Is Invalid',
    next: 'Back to sign in',
  },
  'a reset link that has expired': {
    path: '/resetpassword?token=x',
    prepare: ({ server }) => server.answer('auth.lookAtLink', expired),
    title: 'Reset Link Is Invalid',
    next: 'Get a new link',
  },
  'a verification link that has expired': {
    path: '/signup/verify?token=x',
    user: unverified(),
    prepare: ({ server }) => server.answer('auth.verifyEmail', expired),
    press: 'Confirm my email address',
    title: 'Verification Link Has Expired',
    next: 'Resend email',
  },
  'a link to a new address that has expired': {
    path: '/signup/verify?token=x',
    user: sessionUser({ email_pending: true }),
    prepare: ({ server }) => server.answer('auth.verifyEmail', expired),
    press: 'Confirm my new address',
    title: 'Verification Link Has Expired',
    next: 'Resend email',
  },
  'a used link that ends sessions': {
    path: '/signin/end?token=x',
    prepare: ({ server }) => server.answer('sessions.endByLink', expired),
    press: 'Sign out all devices',
    title: 'This Link No Longer Works',
    next: 'See my devices',
  },
  'a link without its secret that restores an address': {
    path: '/signin/undo',
    title: 'This link no longer works',
    next: 'Back to sign in',
  },
  'an invite that expired': {
    path: '/signup/user?id=x',
    prepare: ({ server }) =>
      server.answer('team.previewInvite', { status: 422, json: { message: 'x', code: 'invite_expired' } }),
    title: 'This invite is no longer valid',
    next: 'Sign in',
  },
  'an invite without its secret, signed in': {
    path: '/signup/user',
    user: sessionUser(),
    title: 'This invite link is incomplete',
    next: 'Go to the dashboard',
  },
  'an invite that did not load': {
    path: '/signup/user?id=x',
    prepare: ({ server }) => server.answer('team.previewInvite', new TypeError('Failed to fetch')),
    title: 'Your invite didn’t load',
    next: 'Try again',
  },
  'a social sign-in without its token': {
    path: '/login/social',
    title: 'Something Went Wrong. Please try signing in again.',
    next: 'Back to sign in',
  },
  'a single sign-on without its token': {
    path: '/login/saml/callback',
    title: 'Something Went Wrong. Please try signing in again.',
    next: 'Back to sign in',
  },
}

describe('a screen with a failed link', () => {
  test.each(Object.entries(cases))(
    '%s: heading and document title name the failure, with a next step',
    async (_, one) => {
      const visitor = await visit({ path: one.path, ...(one.user ? { user: one.user } : {}) })
      takeLinkToken()
      one.prepare?.(visitor)
      visitor.open()
      if (one.press) await visitor.keyboard.click(await screen.findByRole('button', { name: one.press }))
      expect(await screen.findByRole('heading', { level: 1, name: one.title })).toBeVisible()
      expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
      expect(screen.getByRole('alert')).toHaveFocus()
      await waitFor(() => expect(document.title).toBe(`${one.title} · Plinth`))
      const step = (element: HTMLElement) => element.textContent?.startsWith(one.next)
      expect([...screen.queryAllByRole('button'), ...screen.queryAllByRole('link')].some(step)).toBe(true)
    },
  )

  test('restores the title of the route after leaving', async () => {
    const visitor = await visit({ path: '/magic?token=x' })
    takeLinkToken()
    visitor.server.answer('auth.lookAtLink', new TypeError('Failed to fetch'))
    visitor.open()
    const again = await screen.findByRole('button', { name: 'Try again' })
    visitor.server.answer('auth.lookAtLink', linkInfo)
    await visitor.keyboard.click(again)
    await waitFor(() => expect(document.title).toBe('Sign in · Plinth'))
  })
})
