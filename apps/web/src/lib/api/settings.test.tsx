import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { fakeServer } from '../../../test/server.ts'
import { readSettings, useSettings } from './settings.ts'

function Probe() {
  return <p>{useSettings()?.inbox_url ?? 'None yet'}</p>
}

test('is requested once per page, and again only after a failure', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  freshBrowser()
  await withTexts()
  const server = fakeServer().answer('settings.read', new TypeError('Failed to fetch'))
  await expect(readSettings()).rejects.toThrow()
  server.answer('settings.read', { data: { inbox_url: 'http://localhost:5001/' } })
  render(<Probe />)
  expect(await screen.findByText('http://localhost:5001/')).toBeVisible()
  await readSettings()
  expect(server.asked('settings.read')).toHaveLength(2)
})
