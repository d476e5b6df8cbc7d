import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SectionHeader } from './Section.tsx'

test('[layout:section-header] shows a title, a text and its actions', () => {
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
