import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { type ComponentType, Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { withTexts } from '../../test/app.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { present, useIsReady, useView, type View, view } from './view.ts'

function delayedView(name: string) {
  const { promise, resolve } = Promise.withResolvers<ComponentType>()
  return { part: view(() => promise), come: () => resolve(() => <p>{name}</p>) }
}

test('does not mix up two parts that load one after the other', async () => {
  const frame = delayedView('the frame')
  const content = delayedView('the content')
  function Both() {
    const Frame = useView(frame.part)
    const Content = useView(content.part)
    return (
      <>
        <Frame />
        <Content />
      </>
    )
  }
  await act(async () => {
    render(
      <Suspense fallback="waiting">
        <Both />
      </Suspense>,
    )
  })
  await act(async () => frame.come())
  expect(screen.getByText('waiting')).toBeVisible()
  await act(async () => content.come())
  const parts = await screen.findAllByText(/^the /)
  expect(parts.map(part => part.textContent)).toEqual(['the frame', 'the content'])
})

test('shows a loaded part at once', async () => {
  const { part, come } = delayedView('the frame')
  come()
  await part.load()
  function One() {
    const Frame = useView(part)
    return <Frame />
  }
  render(<One />)
  expect(screen.getByText('the frame')).toBeVisible()
})

test('[shell:stale] requests a missing part once, shows an error, and requests it again on each retry', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  await withTexts()
  let gone = true
  const fetchIt = vi.fn(async () => {
    if (gone) throw new TypeError('Failed to fetch dynamically imported module')
    return () => <p>here again</p>
  })
  const part = view(fetchIt)
  function One() {
    const Frame = useView(part)
    return <Frame />
  }
  await act(async () => {
    render(
      <ErrorBoundary path="/a">
        <Suspense fallback="waiting">
          <One />
        </Suspense>
      </ErrorBoundary>,
    )
  })
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(fetchIt).toHaveBeenCalledOnce()
  gone = false
  await act(() => userEvent.click(again))
  expect(await screen.findByText('here again')).toBeVisible()
  expect(fetchIt).toHaveBeenCalledTimes(2)
})

test('updates when a part arrives during rendering', () => {
  let isThere = false
  const Content = () => {
    isThere = true
    return <p>Here</p>
  }
  const whole = present(Content)
  const part: View = { ...whole, ready: () => (isThere ? Content : null) }
  function Page() {
    const title = useIsReady(part) ? 'Profile' : 'Plinth'
    const Part = useView(part)
    return (
      <>
        <h1>{title}</h1>
        <Part />
      </>
    )
  }
  render(<Page />)
  expect(screen.getByRole('heading')).toHaveTextContent('Profile')
})
