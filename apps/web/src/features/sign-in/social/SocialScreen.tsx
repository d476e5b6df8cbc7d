import { api } from '../../../lib/api/client.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { ProviderReturn } from '../ProviderReturn.tsx'

/** The page after a social provider's: its token signs in once. */
export function SocialScreen() {
  const t = useT()
  return (
    <ProviderReturn
      screen={paths.social}
      redeem={signInWithToken}
      texts={{
        title: t('social.title'),
        verifying: t('social.verifying'),
        present: name => t('social.present', { name }),
        replace: t('social.replace'),
        failed: t('social.failed'),
        back: t('social.back'),
      }}
    />
  )
}

async function signInWithToken(token: string): Promise<void> {
  const { data } = await api.auth.signIn({ body: { token } })
  await completeSignIn(data)
}
