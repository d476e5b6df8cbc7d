const names: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Display name of a card brand; null for an unknown brand. */
export const cardBrandName = (brand: string | null): string | null => names[brand ?? ''] ?? null
