import { beforeEach, expect, test, vi } from 'vitest'
import { address, freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { snapshot } from '../../ui/overlay/toast.ts'
import { takeReturnTo } from '../session/return-to.ts'
import { keepSession, session } from '../session/store.ts'
import { ApiError, CardRefused, NoAnswer } from './error.ts'
import { attempt, handleFailure } from './failure.ts'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
  window.history.replaceState(null, '', '/account/profile?tab=1')
  vi.spyOn(console, 'error').mockReturnValue()
})

const newest = () => snapshot()[0]

test('[error:401] deletes the session, opens /login and remembers the page', () => {
  keepSession(sessionUser())
  handleFailure(new ApiError(401, 'Sign in again'))
  expect(session.get()).toBeNull()
  expect(localStorage.getItem('plinth.session')).toBeNull()
  expect(address()).toBe('/login')
  expect(takeReturnTo(sessionUser().id)).toBe('/account/profile?tab=1')
  expect(newest()).toMatchObject({
    title: 'Your session has ended',
    description: 'Please sign in again.',
  })
})

test('[error:401] another user does not return to the page of the one whose session ended', () => {
  keepSession(sessionUser())
  handleFailure(new ApiError(401, 'Sign in again'))
  expect(takeReturnTo('00000000-0000-4000-8000-000000000002')).toBeNull()
})

test('[error:401] says that drafts were kept, when there are any', () => {
  keepSession(sessionUser())
  sessionStorage.setItem('plinth.draft.profile', '{}')
  handleFailure(new ApiError(401, 'Sign in again'))
  expect(newest()).toMatchObject({
    description: 'Please sign in again. We kept what you typed, except passwords.',
  })
})

test('[error:402] opens the upgrade screen with the plan from the response', () => {
  handleFailure(new ApiError(402, 'More needs a plan', { plan: 'startup' }))
  expect(address()).toBe('/account/upgrade?plan=startup')
})

test('[error:404] goes to /notfound', () => {
  handleFailure(new ApiError(404, 'Gone'))
  expect(address()).toBe('/notfound')
})

test('[error:429] shows the body in an error toast', () => {
  handleFailure(new ApiError(429, 'Too many tries. Wait 40 seconds.'))
  expect(newest()).toMatchObject({ variant: 'error', description: 'Too many tries. Wait 40 seconds.' })
  expect(address()).toBe('/account/profile?tab=1')
})

test('[error:other] shows an error toast with the default title and the server’s message', () => {
  handleFailure(new ApiError(500, 'The roof is leaking'))
  expect(newest()).toMatchObject({
    variant: 'error',
    title: 'Something went wrong',
    description: 'The roof is leaking',
  })
})

test.each([
  [new ApiError(409, 'Set a password first.', { code: 'last_way_in' }), 'That isn’t possible'],
  [new ApiError(422, 'It isn’t there yet.', { code: 'domain_not_proven' }), 'Not confirmed yet'],
  [new ApiError(403, 'Support can’t.', { code: 'support_not_allowed' }), 'This is a support session'],
  [new ApiError(503, 'Busy.', { code: 'busy' }), 'Something went wrong'],
])('[error:other] the refusal’s code decides on the title: %s', (error, title) => {
  handleFailure(error)
  expect(newest()).toMatchObject({ variant: 'error', title, description: error.message })
})

test('[error:other] [error:other-fallback] [text:error.message] shows the default text without a message', () => {
  handleFailure(new ApiError(500, ''))
  expect(newest()).toMatchObject({ title: 'Something went wrong', description: 'Please try again.' })
})

test('[error:other-fallback] shows the provider’s message for a refused card', () => {
  handleFailure(new CardRefused('Your card was declined.'))
  expect(newest()).toMatchObject({
    variant: 'error',
    title: 'Something went wrong',
    description: 'Your card was declined.',
  })
})

test('[error:no_response] logs the error and shows a toast', () => {
  handleFailure(new NoAnswer(new TypeError('Failed to fetch')))
  expect(console.error).toHaveBeenCalled()
  expect(newest()).toMatchObject({ variant: 'error', title: 'Something went wrong' })
})

test('attempt returns the data and shows the message, or handles the failure', async () => {
  expect(await attempt(Promise.resolve({ data: 7, message: 'Done' }))).toBe(7)
  expect(newest()).toMatchObject({ variant: 'success', title: 'Done' })
  expect(await attempt(Promise.reject(new ApiError(500, 'No')))).toBeNull()
  expect(newest()).toMatchObject({ variant: 'error', description: 'No' })
})
