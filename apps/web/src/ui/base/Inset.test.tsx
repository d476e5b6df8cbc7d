import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { declared } from '../../../test/css.ts'
import { Secret } from './Inset.tsx'

test('a key without word breaks is split in halves; words and URLs break where they can', () => {
  const texts = { copyLabel: 'Copy', copiedLabel: 'Copied', refusedText: 'Copy it yourself.' }
  const values = [
    'plinth_test_7Qd4mT1vRk8sYw3LbN6hZx9cJf2pEg5uA0x2Lm1Yz',
    'ABCD EFGH IJKL',
    'https://saml.example/metadata',
  ]
  render(values.map(value => <Secret key={value} value={value} {...texts} />))
  const whole = values.map(value => screen.getByText(value).closest('.secret--word') !== null)
  expect(whole).toEqual([true, false, false])
  expect(declared('ui/base/inset.css', '.secret--word code')).toMatchObject({
    'word-break': 'break-all',
    'text-wrap': 'balance',
  })
})
