const names: Partial<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** A card's brand as it is printed on the card; null for an unknown one. */
export const brandName = (brand: string | null): string | null => names[brand ?? ''] ?? null
