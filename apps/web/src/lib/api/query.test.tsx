import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { type FakeServer, fakeServer } from '../../../test/server.ts'
import { snapshot } from '../../ui/toast.ts'
import { keepSession } from '../session/store.ts'
import { api } from './client.ts'
import { queries, useApi } from './query.ts'

let server: FakeServer
beforeEach(async () => {
  freshBrowser()
  await withTexts()
  server = fakeServer()
  vi.spyOn(console, 'error').mockReturnValue()
})

const toasts = () => snapshot().filter(({ open }) => open)
const button = () => screen.getByRole('button', { name: 'Again' })

/** Has a place for the data alone. */
function Part() {
  const { data, retry } = useApi(api.settings.read)
  return (
    <button type="button" onClick={retry}>
      {data?.support_email ?? 'Again'}
    </button>
  )
}

/** Shows also that it failed. */
function Probe() {
  const { data, loading, failed, retry } = useApi(api.settings.read)
  if (loading) return <p>Loading</p>
  return (
    <>
      <p>{failed ? 'Failed' : data?.support_email}</p>
      <button type="button" onClick={retry}>
        Again
      </button>
    </>
  )
}

test('[state:fetch] shows what a GET answers', async () => {
  server.answer('settings.read', { data: { support_email: 'help@plinth.example' } })
  render(<Probe />)
  expect(screen.getByText('Loading')).toBeVisible()
  expect(await screen.findByText('help@plinth.example')).toBeVisible()
})

test('[error:fetch] a failed fetch goes to the general handler, yields no data and can be repeated', async () => {
  server.answer('settings.read', { status: 500, json: { message: 'The roof is leaking' } })
  render(<Part />)
  await waitFor(() => expect(toasts()).toHaveLength(1))
  expect(toasts()[0]).toMatchObject({ variant: 'error', description: 'The roof is leaking' })
  server.answer('settings.read', { data: { support_email: 'help@plinth.example' } })
  await userEvent.click(button())
  expect(await screen.findByText('help@plinth.example')).toBeVisible()
})

test.each([
  ['a failure of the server', { status: 500, json: { message: 'The roof is leaking' } }],
  ['no answer', new TypeError('Failed to fetch')],
])(
  '[error:fetch] %s that the screen shows is told there alone, and repaired leaves nothing',
  async (_, told) => {
    server.answer('settings.read', told)
    render(
      <>
        <Probe />
        <Part />
      </>,
    )
    expect(await screen.findByText('Failed')).toBeVisible()
    expect(toasts()).toEqual([])
    server.answer('settings.read', { data: { support_email: 'help@plinth.example' } })
    await userEvent.click(screen.getAllByRole('button', { name: 'Again' })[0] ?? document.body)
    expect(await screen.findByText('help@plinth.example', { selector: 'p' })).toBeVisible()
    expect(toasts()).toEqual([])
  },
)

test('[error:fetch] [error:429] a refusal says more than that it failed, and is told', async () => {
  server.answer('settings.read', { status: 429, text: 'Too many tries. Wait 40 seconds.' })
  render(<Probe />)
  expect(await screen.findByText('Failed')).toBeVisible()
  expect(toasts()[0]).toMatchObject({ description: 'Too many tries. Wait 40 seconds.' })
})

test('[security:cache] what was read for one user is gone for the next', async () => {
  keepSession(sessionUser())
  server.answer('settings.read', { data: { support_email: 'one@plinth.example' } })
  render(<Probe />)
  await screen.findByText('one@plinth.example')
  expect(queries.getQueryCache().getAll()).toHaveLength(1)
  keepSession(sessionUser({ token: 'token-of-another' }))
  expect(queries.getQueryCache().getAll()).toHaveLength(0)
})
