import type { SsoSetup } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { openDialog } from '../../../lib/dialog.ts'
import { t } from '../../../lib/i18n/translate.ts'
import { checkbox } from '../../../lib/inputs/more-inputs.tsx'
import { storeSetup } from './store-setup.ts'

type Owner = SsoSetup['owners'][number]
type Ticked = { password?: string; code?: string } & Record<string, unknown>

/** Requiring single sign-on disables all other sign-in methods, so at least one owner must keep theirs. */
export function askEnforce(owners: readonly Owner[]): void {
  const fieldOf = (id: string) => `owner_${id}`
  openDialog({
    title: t('sso.enforce.title'),
    description: t('sso.enforce.text'),
    buttonText: t('sso.enforce.button'),
    form: Object.fromEntries(
      owners.map((owner, index) => [
        fieldOf(owner.id),
        checkbox({
          label: owner.name,
          help: owner.has_password ? owner.email : t('sso.enforce.no_password', { email: owner.email }),
          // A single owner has no choice.
          value: index === 0 && owners.length === 1,
        }),
      ]),
    ),
    call: ({ body: { password, code, ...ticked } }: { body: Ticked }) =>
      api.sso.change({
        body: {
          enforced: true,
          break_glass: owners.filter(({ id }) => ticked[fieldOf(id)] === true).map(({ id }) => id),
          password,
          code,
        },
      }),
    callback: storeSetup,
  })
}

export function askDisable(): void {
  openDialog({
    title: t('sso.disable.title'),
    description: t('sso.disable.text'),
    buttonText: t('sso.disable.button'),
    danger: true,
    call: ({ body }) => api.sso.change({ body: { enabled: false, ...body } }),
    callback: storeSetup,
  })
}
