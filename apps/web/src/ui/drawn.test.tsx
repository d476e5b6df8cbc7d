import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { declared } from '../../test/css.ts'
import { CardFields } from './CardFields.tsx'
import { Drawer } from './Drawer.tsx'
import { SectionHeader } from './Section.tsx'
import { Select } from './Select.tsx'
import { Secret } from './Well.tsx'

const tokens = () => declared('styles/tokens.css', ':root')

test('[part:drawer] [const:drawer] comes from the right unless told otherwise, at most 60 units wide', async () => {
  const close = vi.fn()
  const { rerender } = render(
    <Drawer open onClose={close} label="Menu" closeLabel="Close">
      <a href="#dashboard">Dashboard</a>
    </Drawer>,
  )
  const drawer = screen.getByRole('dialog', { name: 'Menu' })
  expect(drawer).toHaveClass('drawer', { exact: true })
  // Logical, so that the sides change places where one reads from the right.
  expect(declared('ui/drawer.css', '.drawer')).toMatchObject({
    'inset-inline': 'auto 0',
    width: 'var(--drawer)',
    'max-width': '100%',
  })
  expect(tokens()['--drawer']).toBe(`${60 * Number.parseInt(tokens()['--space-1'] ?? '', 10)}px`)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(close).toHaveBeenCalledTimes(1)
  rerender(
    <Drawer open onClose={close} label="Menu" closeLabel="Close" side="left">
      <a href="#dashboard">Dashboard</a>
    </Drawer>,
  )
  expect(drawer).toHaveClass('drawer--start')
  expect(declared('ui/drawer.css', '.drawer--start')).toMatchObject({ 'inset-inline': '0 auto' })
})

test('[layout:section-header] a bar with a title, what it is about, and its actions', () => {
  render(
    <SectionHeader title="Team" text="Everybody who works in this account.">
      <button type="button">Invite</button>
    </SectionHeader>,
  )
  const heading = screen.getByRole('heading', { level: 2, name: 'Team' })
  const bar = heading.closest('.row')
  expect(bar).toHaveTextContent('Everybody who works in this account.')
  expect(bar).toContainElement(screen.getByRole('button', { name: 'Invite' }))
})

test('[const:select.height] a list that is ours to draw is at most 24rem high', () => {
  render(<Select aria-label="Month" options={[{ value: '1', label: 'January' }]} />)
  expect(screen.getByRole('combobox', { name: 'Month' })).toHaveClass('select')
  const list = declared('ui/select.css', '.select::picker(select)', '@supports (appearance: base-select)')
  expect(list['max-height']).toMatch(/^min\(24rem, /)
})

test('[const:card.font] a card is typed in 13 pixels', () => {
  const labels = { number: 'Card number', exp: 'Expiry date', cvc: 'Security code' }
  render(<CardFields onChange={() => {}} labels={labels} />)
  expect(screen.getByLabelText('Card number').closest('.card-input')).not.toBeNull()
  expect(declared('ui/card.css', '.card-input')['font-size']).toBe('var(--text-card)')
  expect(tokens()['--text-card']).toBe('13px')
  // A phone zooms into a field of less.
  expect(declared('styles/tokens.css', ':root', '@media (pointer: coarse)')['--text-card']).toBe('16px')
})

test('a key without a place to break is broken into halves; words and addresses break where they can', () => {
  const texts = { copyLabel: 'Copy', copiedLabel: 'Copied', refusedText: 'Copy it yourself.' }
  const values = [
    'plinth_test_7Qd4mT1vRk8sYw3LbN6hZx9cJf2pEg5uA0x2Lm1Yz',
    'ABCD EFGH IJKL',
    'https://saml.example/metadata',
  ]
  render(values.map(value => <Secret key={value} value={value} {...texts} />))
  const whole = values.map(value => screen.getByText(value).closest('.secret--word') !== null)
  expect(whole).toEqual([true, false, false])
  expect(declared('ui/well.css', '.secret--word code')).toMatchObject({
    'word-break': 'break-all',
    'text-wrap': 'balance',
  })
})
