import { describe, expect, test } from 'vitest'
import { hasSpecialCharacter, isEmail, isNumber, isPhone, isUrl } from './patterns.ts'

describe('patterns', () => {
  const worst = [
    `${'a'.repeat(50_000)}@`,
    `${'a.'.repeat(25_000)}@b.cc`,
    `a@${'b.'.repeat(25_000)}`,
    `+${'1 '.repeat(25_000)}`,
    `http://${'a-'.repeat(25_000)}`,
    '-'.repeat(50_000),
    `${'1'.repeat(50_000)}.`,
  ]
  test.each([
    [
      'email',
      isEmail,
      ['a@b.cc', "o'brien+x@sub.example.co", 'a_b@xn--bcher-kva.example'],
      [
        '',
        'a',
        'a@',
        '@b.cc',
        'a@b',
        'a@@b.cc',
        'a b@c.dd',
        'a@b..cc',
        '.a@b.cc',
        'a@-b.cc',
        'a@b.c',
        'a,b@c.dd',
        '<a@b.cc>',
        'a@b.cc\n',
        'ä@b.cc',
        `${'a'.repeat(65)}@b.cc`,
      ],
    ],
    [
      'phone',
      isPhone,
      ['1234567', '+1 1234567890', '+49 30 123 456'],
      ['123456', '1234567890123456', '+', '12  34567', '12-34567', 'abc', ''],
    ],
    [
      'url',
      isUrl,
      ['example.com', 'https://www.example.com/a?b=c', 'ftp://x.org', 'smtp://mail.example.com', 'x.org?q'],
      ['example', 'javascript:alert(1)', 'http://', 'http://a b.com', 'x.c', '//x.org', 'http://x.org/a b'],
    ],
    ['number', isNumber, ['1', '-1', '1.5', '0'], ['', '1.', '.5', '1e5', '--1', 'a', '1,5', ' 1']],
  ] as const)(
    '[rule:form.email] [rule:form.phone] [rule:form.url] [rule:form.number] %s accepts valid text and rejects invalid text of any length [T-76]',
    (_name, fits, good, bad) => {
      for (const value of good) expect(fits(value), value).toBe(true)
      for (const value of bad) expect(fits(value), JSON.stringify(value)).toBe(false)
      for (const value of worst) expect(fits(value), value.slice(0, 20)).toBe(false)
    },
  )

  test('[rule:password.complex] a special character is no letter, digit or space', () => {
    expect(['abc1', 'äöü', 'a b', '密码'].some(hasSpecialCharacter)).toBe(false)
    expect(['a-b', 'a_b', '!', 'a€', '🙂'].every(hasSpecialCharacter)).toBe(true)
  })
})
