import { expect, test } from 'vitest'
import { mailboxOf } from './mailbox.ts'

test.each([
  ['mara@northquay.studio', 'mara@northquay.studio'],
  ['mara+spam@northquay.studio', 'mara@northquay.studio'],
  ['mara+a+b@northquay.studio', 'mara@northquay.studio'],
  ['m.a.r.a@northquay.studio', 'm.a.r.a@northquay.studio'],
  ['m.a.ra+x@gmail.com', 'mara@gmail.com'],
  ['mara@googlemail.com', 'mara@gmail.com'],
  ['+tag@northquay.studio', '+tag@northquay.studio'],
  ['no address', 'no address'],
])('the mailbox of %s is %s [T-72]', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})
