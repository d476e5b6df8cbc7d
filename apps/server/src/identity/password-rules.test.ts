import { describe, expect, test } from 'vitest'
import { commonPasswords } from '../lib/common-passwords.ts'
import { whyNotPassword } from './password-rules.ts'

const common = await commonPasswords()
const mara = {
  first_name: 'Mára',
  last_name: 'Okafor-Lind',
  email: 'mara.o@northquay.studio',
  account_name: 'Harbour Works',
}
const why = (password: string) => whyNotPassword(password, mara, common)

describe('common and leaked passwords [rule:password.common]', () => {
  test('V6.2.4: each of the first 3,000, with a sign before or after it', () => {
    const first = [...common].slice(0, 3000)
    const let_in = first
      .flatMap(word => [`${word}!`, `${word}?!`, `!${word}`, word.toUpperCase()])
      .filter(password => password.length >= 8 && why(password) === null)
    expect(let_in).toEqual([])
  })

  test.each([
    'Password1!',
    'P@ssw0rd!',
    'p.a.s.s.w.o.r.d',
    'pa$$word123',
    '$unsh1ne!',
    'Passwort#1',
    'Willkommen1!',
    'Qwertz123!',
    'dragon-2026',
    'Michael1!',
    'qwerty!!',
    '12345678!',
    '1234-5678',
    'iloveyou<3',
    'dragon-dragon',
    'aaaaaaaa!',
    '!!!!!!!!',
    'abababab-',
    'ＰＡＳＳＷＯＲＤ！１',
  ])('%s is refused', password => {
    expect(why(password)).toBe('password_common')
  })

  test.each([
    'a-good-password-1',
    'limestone-1!',
    'tall-blue-harbour-42',
    'with-space-1 ',
    'password of the dragon!',
    'horse+93817462',
    'x7!kQ2#vLp',
    'größenwahn & käse',
    '密码-安全-测试-一二三',
  ])('%s is accepted', password => {
    expect(why(password)).toBeNull()
  })
})

describe('personal words in a password [rule:password.personal]', () => {
  test.each([
    'Mara-2026!',
    'm4r4-okaf0r',
    'okafor!lind',
    'northquay-1',
    'harbour-works!',
    'Plinth-1234',
    'plinth-demo-1',
    'marastudio!',
    'MÁRA!!123',
  ])('V6.2.11: %s is refused', password => {
    expect(why(password)).toBe('password_personal')
  })

  test('the rest without them may not be common either', () => {
    expect(why('plinth.password123')).toBe('password_common')
  })

  test.each(['mara-likes-two-lakes', 'plinth?x7!kQ2#vLp'])(
    '%s is accepted with enough other characters',
    password => {
      expect(why(password)).toBeNull()
    },
  )

  test('names of special characters are kept, and empty names are ignored', () => {
    const about = { first_name: '(.+)', last_name: '[', email: 'a@b.co' }
    expect(whyNotPassword('x7!kQ2#vLp', about, common)).toBeNull()
  })
})
