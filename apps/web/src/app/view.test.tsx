import { act, render, screen } from '@testing-library/react'
import { type ComponentType, Suspense } from 'react'
import { expect, test } from 'vitest'
import { useView, view } from './view.ts'

function later(name: string) {
  const { promise, resolve } = Promise.withResolvers<ComponentType>()
  return { part: view(() => promise), come: () => resolve(() => <p>{name}</p>) }
}

test('two parts that come one after the other are not taken for each other', async () => {
  const frame = later('the frame')
  const content = later('the content')
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
  expect(screen.getAllByText(/^the /).map(part => part.textContent)).toEqual(['the frame', 'the content'])
})

test('what was fetched before is shown at once', async () => {
  const { part, come } = later('the frame')
  come()
  await part.load()
  function One() {
    const Frame = useView(part)
    return <Frame />
  }
  render(<One />)
  expect(screen.getByText('the frame')).toBeVisible()
})
