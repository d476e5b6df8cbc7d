import { contract } from '@plinth/contract'
import { mount, type Server } from '../../../endpoint/mount.ts'
import { locales } from '../../../lib/i18n.ts'

/** The public part of the configuration. It has no service. */
export function settingRoutes(server: Server) {
  const { config } = server.services
  mount(server, contract.settings, {
    read: async () => ({
      payments: { publishable_key: config.payments.publishableKey, sandbox_url: config.payments.sandboxUrl },
      inbox_url: config.inboxUrl,
      social: config.social.map(({ id, name }) => ({ id, name })),
      support_email: config.supportEmail,
      locales: [...locales],
    }),
  })
}
