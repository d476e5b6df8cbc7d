import { memberRoles } from '@plinth/contract/roles'
import { describe, expect, test } from 'vitest'
import { assignableRolesOf, hasRoom, mayInvite, parseAddresses, seatsOf } from './rules.ts'

describe('roles that can be given [rule:permission.no-owner] [T-30] [T-32]', () => {
  test.each([
    ['master', ['admin', 'developer', 'user']],
    ['owner', ['admin', 'developer', 'user']],
    ['admin', ['admin', 'user']],
    ['developer', ['developer', 'user']],
    ['user', ['user']],
  ] as const)('%s can give %j', (role, given) => {
    expect(assignableRolesOf(role)).toEqual(given)
  })

  test.each([
    ['owner', 'admin', true],
    ['owner', 'developer', true],
    ['owner', 'user', true],
    ['owner', 'owner', false],
    ['owner', 'master', false],
    ['admin', 'admin', true],
    ['admin', 'user', true],
    ['admin', 'developer', false],
    ['admin', 'owner', false],
    ['developer', 'developer', false],
    ['developer', 'user', false],
    ['user', 'user', false],
    ['master', 'developer', true],
    ['master', 'owner', false],
  ] as const)('%s inviting into %s: %s', (role, given, allowed) => {
    expect(mayInvite(role, given)).toBe(allowed)
  })

  test('no role invites into a higher one', () => {
    for (const role of memberRoles) expect(mayInvite(role, 'owner')).toBe(false)
  })
})

describe('addresses as typed [rule:invite.several] [T-72]', () => {
  test.each([
    ['one', 'a@x.example', ['a@x.example']],
    ['commas', 'a@x.example,b@x.example', ['a@x.example', 'b@x.example']],
    [
      'every other separator',
      ' a@x.example ; b@x.example\nc@x.example\t',
      ['a@x.example', 'b@x.example', 'c@x.example'],
    ],
    ['one address in two spellings', 'A@X.example, a@x.EXAMPLE', ['a@x.example']],
    ['nothing between commas', ',,a@x.example,,', ['a@x.example']],
    ['a name around it', 'Mara <mara@x.example>', ['mara@x.example']],
    ['nothing at all', ' , ; ', []],
  ])('%s', (_what, typed, addresses) => {
    expect(parseAddresses(typed)).toEqual({ addresses, wrong: null })
  })

  test.each([
    ['a word', 'a@x.example, bert', 'bert'],
    ['a second address behind the first', 'a@x.example@evil.example', 'a@x.example@evil.example'],
    ['a header', 'a@x.example%0aBcc:b@x.example', 'a@x.example%0aBcc:b@x.example'],
    ['letters that only look like others', 'mаra@x.example', 'mаra@x.example'],
  ])('names an invalid address: %s', (_what, typed, wrong) => {
    expect(parseAddresses(typed).wrong).toBe(wrong)
  })

  test('does not repeat control characters of the input', () => {
    const { wrong } = parseAddresses(`\u202e\u0000${'x'.repeat(500)}`)
    expect(wrong).toBe('x'.repeat(80))
  })
})

describe('seats', () => {
  test.each([
    ['free', 3],
    ['startup', 20],
    ['startup_yearly', 20],
    ['scale', null],
    [null, 0],
    ['gone', 0],
  ])('%s has %s', (plan, seats) => {
    expect(seatsOf(plan)).toBe(seats)
  })

  test.each([
    ['free', 3, true],
    ['free', 4, false],
    ['scale', 100_000, true],
    [null, 1, false],
  ])('%s with %i people: %s', (plan, people, room) => {
    expect(hasRoom(plan, people)).toBe(room)
  })
})
