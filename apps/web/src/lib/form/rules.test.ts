import { beforeAll, describe, expect, test } from 'vitest'
import { withTexts } from '../../../test/app.tsx'
import { complaint } from './rules.ts'
import type { RuleName, Rules } from './types.ts'

beforeAll(() => withTexts())

const file = (name: string, type: string) => new File(['x'], name, { type })

type Case = [title: string, rules: Rules, good: unknown[], bad: unknown[], message: string, rule: RuleName]
const cases: Case[] = [
  [
    '[rule:form.required] says which field',
    { required: true },
    ['a', 0, ['x'], true],
    ['', '   ', null, undefined, [], false],
    'Name is required',
    'required',
  ],
  ['[rule:form.min]', { min: 3 }, ['3', '4.5', ''], ['2', '-4', '2.9'], 'Enter at least 3', 'min'],
  ['[rule:form.max]', { max: 3 }, ['3', '-1', ''], ['4', '3.1'], 'Enter at most 3', 'max'],
  [
    '[rule:form.between]',
    { min: 1, max: 3 },
    ['1', '3', ''],
    ['0', '4'],
    'Enter a number between 1 and 3',
    'between',
  ],
  [
    '[rule:form.min_length]',
    { minLength: 3 },
    ['abc', ''],
    ['ab'],
    'Enter at least 3 characters',
    'minLength',
  ],
  [
    '[rule:form.max_length]',
    { maxLength: 3 },
    ['abc', ''],
    ['abcd'],
    'Enter at most 3 characters',
    'maxLength',
  ],
  [
    '[rule:form.email]',
    { format: 'email' },
    ['a@b.co', ' a.b+c@d-e.org ', ''],
    ['a', 'a@b', '@b.co', 'a b@c.de', 'a@b..co'],
    'Enter a valid email address',
    'email',
  ],
  [
    '[rule:form.number]',
    { format: 'number' },
    ['1', '-1', '1.25', ''],
    ['1.', '.5', '1,5', 'a', '+1', '1e3'],
    'Enter a valid number',
    'number',
  ],
  [
    '[rule:form.phone]',
    { format: 'phone' },
    ['+1 1234567890', '1234567', ''],
    ['123456', '1234567890123456', '12  34567', '123-4567'],
    'Enter a valid phone number (e.g. +1 1234567890)',
    'phone',
  ],
  [
    '[rule:form.url]',
    { format: 'url' },
    ['example.com', 'https://www.example.com/a?b=c', 'smtp://mail.example.org', ''],
    ['example', 'http://', 'a b.com', 'example.c'],
    'Enter a valid URL',
    'url',
  ],
  [
    '[rule:form.password.complex]',
    { complex: true },
    ['a!', 'ä ö?', ''],
    ['abc123', 'ÄÖÜ 1'],
    'Add at least one special character, such as ! or ?',
    'complex',
  ],
  [
    '[rule:form.password.matches]',
    { matches: 'other' },
    ['same', ''],
    ['different'],
    'Passwords do not match',
    'matches',
  ],
  [
    '[rule:form.options]',
    { minOptions: 1, maxOptions: 2 },
    [['a'], ['a', 'b']],
    [['a', 'b', 'c']],
    'Choose between 1 and 2 options',
    'options',
  ],
  [
    '[rule:form.file.count]',
    { maxFiles: 1 },
    [[file('a.png', 'image/png')]],
    [[file('a.png', 'image/png'), file('b.png', 'image/png')]],
    'Please upload a maximum of 1 file',
    'fileCount',
  ],
  [
    '[rule:form.file.type]',
    { accept: ['image/png'] },
    [[file('a.png', 'image/png')]],
    [[file('a.gif', 'image/gif')]],
    'GIF files are not accepted, PNG only',
    'fileType',
  ],
  [
    '[rule:form.file.required]',
    { required: true, maxFiles: 1 },
    [[file('a.png', 'image/png')]],
    [[], null],
    'Please select a file',
    'required',
  ],
]

describe.each(cases)('%s', (_title, rules, good, bad, message, rule) => {
  const check = (value: unknown, more: Rules = {}) =>
    complaint(value, { ...rules, ...more }, 'Name', { other: 'same' })

  test.each(good.map(value => ({ value })))('accepts $value', ({ value }) => {
    expect(check(value)).toBeNull()
  })
  // The tags cover the whole table: each row tests one of them.
  test.each(bad.map(value => ({ value })))(
    'refuses $value [rule:form.min] [rule:form.max] [rule:form.between] [rule:form.min-length] [rule:form.max-length] [rule:form.options-count] [text:form.min] [text:form.max] [text:form.between] [text:form.max-length] [text:form.number] [text:form.url] [text:form.phone] [text:form.options]',
    ({ value }) => {
      expect(check(value)).toBe(message)
    },
  )
  test('[rule:form.message_override] a field can override the message', () => {
    expect(check(bad[0], { messages: { [rule]: 'Say it differently' } })).toBe('Say it differently')
  })
})

test('[rule:form.required.fallback_label] [text:field] a field without a label is called Field', () => {
  expect(complaint('', { required: true }, '')).toBe('Field is required')
})

test('[rule:form.password.matches-custom] a mismatch can have its own message', () => {
  const rules: Rules = { matches: 'password', messages: { matches: 'Type the same once more' } }
  expect(complaint('b', rules, 'Repeat', { password: 'a' })).toBe('Type the same once more')
  expect(complaint('a', rules, 'Repeat', { password: 'a' })).toBeNull()
  expect(complaint('', rules, 'Repeat', { password: 'a' })).toBeNull()
})

test('an optional empty value breaks no rule', () => {
  expect(complaint('', { minLength: 3, complex: true, format: 'email', min: 3 }, 'Name')).toBeNull()
})

test('a custom rule receives the other values', () => {
  const check = (value: unknown, values: Record<string, unknown>) =>
    value === values.old ? 'Choose another' : null
  expect(complaint('a', { check }, 'Name', { old: 'a' })).toBe('Choose another')
  expect(complaint('b', { check }, 'Name', { old: 'a' })).toBeNull()
})
