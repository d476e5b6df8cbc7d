/** A day of billing in a mail. Billing days are days in UTC, and a mail doesn't know where it is read. */
export const billingDay = (locale: string, at: Date): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at)} (UTC)`
