import { randomInt } from 'node:crypto'
import { sandboxUrl } from '../urls.ts'

export const cards = {
  valid: '4242424242424242',
  wrongNumber: '4242424242424241',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  asksBank: '4000002500003155',
  alwaysAsksBank: '4000002760003184',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  declinedOnCharge: '4000000000000341',
  asksBankThenInsufficientFunds: '4000008260003178',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  processingError: '4000000000000119',
}

/** A valid card number that had no trial yet: each card gets one trial. */
export function newCardNumber(): string {
  const digits = `4242${String(randomInt(10 ** 11)).padStart(11, '0')}`
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return digits + ((10 - (sum % 10)) % 10)
}

/** Creates a card token at the payment provider, as the browser does. */
export async function createCardToken(number: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_sandbox' },
    body: new URLSearchParams({
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2034',
      'card[cvc]': '123',
    }),
  })
  const { id } = (await response.json()) as { id: string } // as: the reply of this path
  return id
}
