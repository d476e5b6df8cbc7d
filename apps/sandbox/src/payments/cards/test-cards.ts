import { ApiError, type ErrorBody } from '../../http/api-error.ts'

type Behaviour =
  | 'succeeds'
  | 'disputed'
  | 'challenge_unless_set_up'
  | 'challenge_always'
  | 'challenge_then_declined'
  | 'charge_declined'
  | 'attach_declined'
  | 'number_refused'

interface TestCard {
  number: string
  behaviour: Behaviour
  code?: string
  declineCode?: string
  note: string
}

/** The cards in README.md. Any other number that passes the Luhn check succeeds. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', behaviour: 'succeeds', note: 'succeeds (Visa)' },
  { number: '5555555555554444', behaviour: 'succeeds', note: 'succeeds (Mastercard)' },
  { number: '378282246310005', behaviour: 'succeeds', note: 'succeeds (American Express, 4-digit code)' },
  {
    number: '4000002500003155',
    behaviour: 'challenge_unless_set_up',
    note: '3D Secure once, then it renews by itself',
  },
  { number: '4000002760003184', behaviour: 'challenge_always', note: '3D Secure on every payment' },
  {
    number: '4000008260003178',
    behaviour: 'challenge_then_declined',
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    note: '3D Secure, then insufficient funds',
  },
  {
    number: '4000000000000341',
    behaviour: 'charge_declined',
    code: 'card_declined',
    declineCode: 'generic_decline',
    note: 'can be saved, every charge fails',
  },
  { number: '4000000000000259', behaviour: 'disputed', note: 'succeeds, then every charge is disputed' },
  {
    number: '4000000000000002',
    behaviour: 'attach_declined',
    code: 'card_declined',
    declineCode: 'generic_decline',
    note: 'declined',
  },
  {
    number: '4000000000009995',
    behaviour: 'attach_declined',
    code: 'card_declined',
    declineCode: 'insufficient_funds',
    note: 'insufficient funds',
  },
  {
    number: '4000000000000069',
    behaviour: 'attach_declined',
    code: 'expired_card',
    declineCode: 'expired_card',
    note: 'expired card',
  },
  {
    number: '4000000000000127',
    behaviour: 'attach_declined',
    code: 'incorrect_cvc',
    declineCode: 'incorrect_cvc',
    note: 'wrong code on the back',
  },
  {
    number: '4000000000000119',
    behaviour: 'attach_declined',
    code: 'processing_error',
    declineCode: 'processing_error',
    note: 'processing error',
  },
  {
    number: '4242424242424241',
    behaviour: 'number_refused',
    code: 'incorrect_number',
    note: 'refused as a mistyped number',
  },
]

/** Stripe's test ids and their card numbers. */
export const namedCards: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_createDispute: '4000000000000259',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  tok_visa: '4242424242424242',
  tok_mastercard: '5555555555554444',
  tok_chargeCustomerFail: '4000000000000341',
  tok_chargeDeclined: '4000000000000002',
}

const succeeding: TestCard = { number: '', behaviour: 'succeeds', note: '' }
export const testCardOf = (number: string): TestCard =>
  testCards.find(card => card.number === number) ?? succeeding

const messages: Record<string, string> = {
  card_declined: 'Your card was declined.',
  expired_card: 'Your card has expired.',
  incorrect_cvc: "Your card's security code is incorrect.",
  processing_error: 'An error occurred while processing your card. Try again in a little bit.',
  incorrect_number: 'Your card number is incorrect.',
  invalid_number: 'Your card number is not a valid credit card number.',
  invalid_expiry_month: "Your card's expiration month is invalid.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  invalid_cvc: "Your card's security code is invalid.",
}

export function declineError(number: string): ErrorBody {
  const card = testCardOf(number)
  const code = card.code ?? 'card_declined'
  const funds = card.declineCode === 'insufficient_funds'
  return {
    type: 'card_error',
    code,
    message: (funds ? 'Your card has insufficient funds.' : messages[code]) ?? 'Your card was declined.',
    ...(card.declineCode && { decline_code: card.declineCode }),
  }
}

export const cardError = (body: ErrorBody) => new ApiError(402, body)

const inputError = (code: string, param: string) =>
  cardError({ type: 'card_error', code, param, message: messages[code] ?? 'Your card is invalid.' })

function passesLuhn(number: string) {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

export function brandOf(number: string): string {
  if (/^4/.test(number)) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  if (/^3[47]/.test(number)) return 'amex'
  if (/^6(011|5)/.test(number)) return 'discover'
  if (/^3(0|6|8)/.test(number)) return 'diners'
  if (/^35/.test(number)) return 'jcb'
  if (/^62/.test(number)) return 'unionpay'
  return 'unknown'
}

interface CardInput {
  number: string
  exp_month: number
  exp_year: number
  cvc?: string | undefined
}

/** Checks the card without contacting a bank. Returns the number without spaces. */
export function validateCard(input: CardInput, today: Date): string {
  const number = input.number.replaceAll(/[\s-]/g, '')
  if (testCardOf(number).behaviour === 'number_refused') throw inputError('incorrect_number', 'number')
  if (!/^\d{12,19}$/.test(number)) throw inputError('invalid_number', 'number')
  if (!passesLuhn(number)) throw inputError('incorrect_number', 'number')
  if (!Number.isInteger(input.exp_month) || input.exp_month < 1 || input.exp_month > 12)
    throw inputError('invalid_expiry_month', 'exp_month')
  const year = input.exp_year < 100 ? 2000 + input.exp_year : input.exp_year
  if (year < today.getUTCFullYear() || year > today.getUTCFullYear() + 50)
    throw inputError('invalid_expiry_year', 'exp_year')
  if (year === today.getUTCFullYear() && input.exp_month < today.getUTCMonth() + 1)
    throw inputError('invalid_expiry_month', 'exp_month')
  const length = brandOf(number) === 'amex' ? [3, 4] : [3]
  if (input.cvc !== undefined && !(length.includes(input.cvc.length) && /^\d+$/.test(input.cvc)))
    throw inputError('invalid_cvc', 'cvc')
  return number
}
