import type { SignInReply } from '@plinth/contract'
import { linkMinutes } from '@plinth/contract/patterns'
import Building from 'lucide-react/icons/building-2'
import Lock from 'lucide-react/icons/lock'
import Mail from 'lucide-react/icons/mail'
import { type ComponentType, useState } from 'react'
import { handleFailure } from '../../lib/api/failure.ts'
import { mayFocusField } from '../../lib/focus-first.ts'
import { Form, type FormCall } from '../../lib/form/Form.tsx'
import { email, password } from '../../lib/form/inputs.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { passkeysSupported } from '../../lib/passkeys-supported.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { TextLink } from '../../ui/base/Link.tsx'
import { Or } from '../../ui/layout/AuthLayout.tsx'
import type { LinkRequestProps } from './mailed-link/LinkRequest.tsx'
import { PasskeyButton } from './passkeys/PasskeyButton.tsx'
import type { SignInMethods } from './sign-in-methods.ts'
import { SocialButtons } from './social/SocialButtons.tsx'
import { useTypedAddress } from './use-typed-address.ts'

type Props = {
  signInMethods: SignInMethods
  signIn: FormCall<{ email: string; password: string }, SignInReply>
}

/** Asks for a password or, where available, for a magic link. The other sign-in methods are below. */
export function SignInForm({ signInMethods, signIn }: Props) {
  const t = useT()
  const [address, setAddress] = useTypedAddress()
  const [LinkRequest, setLinkRequest] = useState<ComponentType<LinkRequestProps> | null>(null)
  const [mayFocus, setMayFocus] = useState(mayFocusField)
  const hasOtherMethods = Boolean(
    signInMethods.magic || signInMethods.sso || signInMethods.social?.length || passkeysSupported(),
  )
  // Shows all other sign-in methods together: buttons that appear one by one would move under the pointer.
  const providersLoaded = signInMethods.social !== undefined

  // Loaded on demand: the first page contains only the password form.
  async function toggleMode(): Promise<void> {
    // The focus stays on the button that switches the mode.
    setMayFocus(false)
    if (LinkRequest) return setLinkRequest(null)
    try {
      const loaded = await import('./mailed-link/LinkRequest.tsx')
      setLinkRequest(() => loaded.LinkRequest)
    } catch (error) {
      handleFailure(error)
    }
  }

  return (
    <>
      {LinkRequest && signInMethods.magic ? (
        <LinkRequest
          send={signInMethods.magic}
          buttonText={t('auth.sign_in.magic_button')}
          help={t('auth.sign_in.magic_text')}
          minutes={linkMinutes.magic}
          address={address}
          onAddress={setAddress}
        />
      ) : (
        <PasswordForm
          signInMethods={signInMethods}
          signIn={signIn}
          address={address}
          onAddress={setAddress}
          autoFocus={mayFocus}
        />
      )}
      {providersLoaded && hasOtherMethods && (
        <OtherMethods signInMethods={signInMethods} withLink={LinkRequest !== null} onSwitch={toggleMode} />
      )}
    </>
  )
}

type Address = { address: string; onAddress: (address: string) => void; autoFocus: boolean }

function PasswordForm({ signInMethods, signIn, address, onAddress, autoFocus }: Props & Address) {
  const t = useT()
  return (
    <Form
      large
      inputs={{
        email: {
          ...email({
            label: t('auth.email'),
            required: true,
            value: address,
            // Browsers offer passkeys in this field too.
            autoComplete: 'username webauthn',
            autoFocus,
          }),
          // A check mark beside a wrong password would reveal that the address has an account.
          icons: false,
        },
        password: password({
          label: t('auth.password'),
          required: true,
          autoComplete: 'current-password',
          aside: signInMethods.forgot && (
            <TextLink className="t13" href={signInMethods.forgot}>
              {t('auth.sign_in.forgot')}
            </TextLink>
          ),
        }),
      }}
      call={signIn}
      buttonText={t('auth.sign_in.button')}
      callback={(user, values) => completeSignIn(user, undefined, String(values.email).trim())}
      onChange={values => onAddress(String(values.email ?? ''))}
    />
  )
}

function OtherMethods({
  signInMethods,
  withLink,
  onSwitch,
}: {
  signInMethods: SignInMethods
  withLink: boolean
  onSwitch: () => Promise<void>
}) {
  const t = useT()
  return (
    <>
      <Or>{t('global.or')}</Or>
      <div className="stack stack-2">
        {signInMethods.social && <SocialButtons providers={signInMethods.social} />}
        {passkeysSupported() && <PasskeyButton />}
        {signInMethods.sso && (
          <ButtonLink size="lg" block href={signInMethods.sso} icon={<Icon of={Building} />}>
            {t('auth.sign_in.sso')}
          </ButtonLink>
        )}
        {signInMethods.magic && (
          <Button
            variant="ghost"
            size="lg"
            block
            icon={<Icon of={withLink ? Lock : Mail} />}
            onClick={onSwitch}
          >
            {withLink ? t('auth.sign_in.with_password') : t('auth.sign_in.magic')}
          </Button>
        )}
      </div>
    </>
  )
}
