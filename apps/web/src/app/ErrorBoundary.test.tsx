import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../test/app.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { reloadIfStale } from './reload-stale-build.ts'
import { LoadFailed, view } from './view.ts'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
  vi.spyOn(console, 'error').mockReturnValue()
})

test('[shell:error] a broken screen shows an error and a retry', async () => {
  let broken = true
  function Screen() {
    if (broken) throw new Error('A bug')
    return <h1>Fine</h1>
  }
  render(
    <ErrorBoundary path="/a">
      <Screen />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { level: 1, name: 'This page didn’t load' })).toBeVisible()
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByRole('heading', { name: 'Fine' })).toBeVisible()
})

test('[shell:error] tries again on another path', () => {
  function Screen({ broken }: { broken: boolean }) {
    if (broken) throw new Error('A bug')
    return <h1>Fine</h1>
  }
  const { rerender } = render(
    <ErrorBoundary path="/a">
      <Screen broken />
    </ErrorBoundary>,
  )
  rerender(
    <ErrorBoundary path="/b">
      <Screen broken={false} />
    </ErrorBoundary>,
  )
  expect(screen.getByRole('heading', { name: 'Fine' })).toBeVisible()
})

test('[shell:stale] a part that failed to load is loaded again the next time', async () => {
  const Screen = () => <h1>Here</h1>
  let missing = true
  const part = view(async () => {
    if (missing) throw new TypeError('Failed to fetch dynamically imported module')
    return Screen
  })
  await expect(part.load()).rejects.toBeInstanceOf(LoadFailed)
  expect(part.ready()).toBeNull()
  missing = false
  expect(await part.load()).toBe(Screen)
  expect(part.ready()).toBe(Screen)
})

test('[shell:stale] after a deployment the page reloads once, never in a loop', async () => {
  const reload = vi.fn()
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }))
  await reloadIfStale(reload)
  await reloadIfStale(reload)
  expect(reload).toHaveBeenCalledOnce()
})

test('[shell:stale] does not reload without a server', async () => {
  const reload = vi.fn()
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  await reloadIfStale(reload)
  await waitFor(() => expect(reload).not.toHaveBeenCalled())
})
