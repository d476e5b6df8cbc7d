import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { showInput } from '../../../test/inputs.tsx'
import { file } from './file.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

const one = (name: string, type: string, size = 1) => new File(['x'.repeat(size)], name, { type })
const png = one('a.png', 'image/png')
const picker = () => screen.getByLabelText('Pictures')

test('[input:file] sends the chosen files, and nothing without files', async () => {
  const { keyboard, save } = showInput(file({ label: 'Pictures', accept: ['image/png'] }))
  expect(picker()).toHaveAttribute('accept', 'image/png')
  expect(picker()).toHaveAttribute('multiple')
  expect(await save()).toBeUndefined()
  await keyboard.upload(picker(), [png])
  expect(await save()).toEqual([png])
})

test('[text:file.select] asks for a required file', async () => {
  const { save } = showInput(file({ label: 'Pictures', required: true, maxFiles: 1, help: 'PNG or JPEG.' }))
  expect(picker()).toHaveAccessibleDescription('PNG or JPEG.')
  expect(await save()).toBe('Please select a file')
  expect(picker()).toHaveFocus()
  expect(picker()).toHaveAccessibleDescription('Please select a file')
  expect(picker()).toBeInvalid()
})

test('[rule:file.count] [text:file.maximum] refuses more files than the maximum', async () => {
  const { keyboard, save } = showInput(file({ label: 'Pictures', maxFiles: 2 }))
  await keyboard.upload(picker(), [png, png, png])
  expect(await save()).toBe('Please upload a maximum of 2 files')
  await keyboard.upload(picker(), [png, png])
  expect(await save()).toEqual([png, png])
})

test('a maximum of one lets the user choose one file', () => {
  showInput(file({ label: 'Pictures', maxFiles: 1 }))
  expect(picker()).not.toHaveAttribute('multiple')
})

test('[rule:file.type] [text:file.not-accepted] [text:file.excluded-key] names every file type that is not accepted', async () => {
  const { keyboard, save } = showInput(file({ label: 'Pictures', accept: ['image/png'] }))
  await keyboard.upload(picker(), [one('a.gif', 'image/gif')])
  expect(await save()).toBe('GIF files are not accepted, PNG only')
  const others = [one('a.gif', 'image/gif'), png, one('b.pdf', 'application/pdf'), one('c.gif', 'image/gif')]
  await keyboard.upload(picker(), others)
  expect(await save()).toBe('GIF, PDF files are not accepted, PNG only')
  await keyboard.upload(picker(), [one('d.blend', '')])
  expect(await save()).toBe('BLEND files are not accepted, PNG only')
  await keyboard.upload(picker(), [png])
  expect(await save()).toEqual([png])
})

test('a field can limit the file size', async () => {
  const check = (value: unknown) =>
    Array.isArray(value) && value.some(each => each.size > 10) ? 'A picture may have 10 bytes at most' : null
  const { keyboard, save } = showInput(file({ label: 'Pictures', check }))
  await keyboard.upload(picker(), [one('a.png', 'image/png', 11)])
  expect(await save()).toBe('A picture may have 10 bytes at most')
  await keyboard.upload(picker(), [one('a.png', 'image/png', 10)])
  expect(await save()).toHaveLength(1)
})
