import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { LinkRenderer } from '../base/Link.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'

test('links back, marks the last entry and uses the app’s own links [layout:breadcrumb]', () => {
  render(
    <LinkRenderer value={props => <a data-own="" {...props} />}>
      <Breadcrumb
        label="Breadcrumb"
        items={[{ name: 'API keys', url: '/account/apikeys' }, { name: 'Edit' }]}
      />
    </LinkRenderer>,
  )
  expect(screen.getByRole('link', { name: 'API keys' }).hasAttribute('data-own')).toBe(true)
  expect(screen.getByText('Edit').getAttribute('aria-current')).toBe('page')
})
