/** An amount as it is read in a mail. @param amount in minor units, hundredths */
export const money = (locale: string, amount: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / 100)
