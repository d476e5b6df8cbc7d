import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { type FakeServer, fakeServer } from '../../../test/server.ts'
import { snapshot } from '../../ui/overlay/toast.ts'
import { keepSession } from '../session/store.ts'
import { api } from '../api/client.ts'
import { queries, useApi } from './query.ts'

let server: FakeServer
beforeEach(async () => {
  freshBrowser()
  await withTexts()
  server = fakeServer()
  vi.spyOn(console, 'error').mockReturnValue()
})

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

test('[state:fetch] shows the data of a GET', async () => {
  server.answer('settings.read', { data: { support_email: 'help@plinth.example' } })
  render(<Probe />)
  expect(screen.getByText('Loading')).toBeVisible()
  expect(await screen.findByText('help@plinth.example')).toBeVisible()
  expect(snapshot().filter(({ open }) => open)).toEqual([])
})

test('[error:fetch] a failed fetch shows a toast, returns no data and can be retried', async () => {
  server.answer('settings.read', { status: 500, json: { message: 'The roof is leaking' } })
  render(<Probe />)
  expect(await screen.findByText('Failed')).toBeVisible()
  expect(snapshot()[0]).toMatchObject({ variant: 'error', description: 'The roof is leaking' })
  server.answer('settings.read', { data: { support_email: 'help@plinth.example' } })
  await userEvent.click(screen.getByRole('button', { name: 'Again' }))
  expect(await screen.findByText('help@plinth.example')).toBeVisible()
})

test('[security:cache] clears the cache when the user changes', async () => {
  keepSession(sessionUser())
  server.answer('settings.read', { data: { support_email: 'one@plinth.example' } })
  render(<Probe />)
  await screen.findByText('one@plinth.example')
  expect(queries.getQueryCache().getAll()).toHaveLength(1)
  keepSession(sessionUser({ token: 'token-of-another' }))
  expect(queries.getQueryCache().getAll()).toHaveLength(0)
})
