import type { Services, Tx } from '../../../context.ts'
import type { Mail } from '../../../integrations/mail/mailer.ts'
import { isLocale, type Locale } from '../../../lib/i18n.ts'

type Content<M extends Mail = Mail> = M extends Mail ? Pick<M, 'kind' | 'data'> : never
type Owner = { email: string; first_name: string; locale: string }
/** Data that every billing mail has; `url` is the billing page. */
type Recipient = { name: string; account_name: string; url: string }

/** @param contentFor the mail for one owner, in their language */
export async function mailOwners(
  services: Services,
  tx: Tx,
  { account, owners }: { account: { name: string }; owners: readonly Owner[] },
  contentFor: (recipient: Recipient, locale: Locale) => Content,
) {
  const url = `${services.config.publicUrl}/account/billing`
  for (const { email, first_name, ...owner } of owners) {
    const locale = isLocale(owner.locale) ? owner.locale : 'en'
    const recipient = { name: first_name, account_name: account.name, url }
    await services.enqueueMail(tx, { ...contentFor(recipient, locale), to: email, locale })
  }
}
