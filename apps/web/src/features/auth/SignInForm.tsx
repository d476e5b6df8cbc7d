import type { SessionUser } from '@plinth/contract'
import Building from 'lucide-react/icons/building-2'
import Mail from 'lucide-react/icons/mail'
import { useState } from 'react'
import { Form, type FormCall } from '../../lib/form/Form.tsx'
import { email, password } from '../../lib/form/inputs.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { enter } from '../../lib/session/enter.ts'
import { Or } from '../../ui/Auth.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { TextLink } from '../../ui/Link.tsx'
import type { Doors } from './doors.ts'

type Props = {
  doors: Doors
  signIn: FormCall<{ email: string; password: string }, SessionUser & { token: string }>
}

/** Password mode or, where that door exists, magic-link mode; the other doors below. */
export function SignInForm({ doors, signIn }: Props) {
  const [withLink, setWithLink] = useState(false)
  const others = Boolean(doors.magic || doors.sso || doors.social?.length)
  return (
    <>
      {withLink && doors.magic ? (
        <LinkForm send={doors.magic} />
      ) : (
        <PasswordForm doors={doors} signIn={signIn} />
      )}
      {others && <OtherDoors doors={doors} withLink={withLink} onSwitch={() => setWithLink(!withLink)} />}
    </>
  )
}

function PasswordForm({ doors, signIn }: Props) {
  const t = useT()
  return (
    <Form
      large
      inputs={{
        email: email({ label: t('auth.email'), required: true, autoComplete: 'username' }),
        password: password({
          label: t('auth.password'),
          required: true,
          autoComplete: 'current-password',
          aside: doors.forgot && (
            <TextLink className="t13" href={doors.forgot}>
              {t('auth.sign_in.forgot')}
            </TextLink>
          ),
        }),
      }}
      call={signIn}
      buttonText={t('auth.sign_in.button')}
      callback={user => enter(user)}
    />
  )
}

function LinkForm({ send }: { send: NonNullable<Doors['magic']> }) {
  const t = useT()
  return (
    <Form
      large
      inputs={{
        email: email({
          label: t('auth.email'),
          help: t('auth.sign_in.magic_text'),
          required: true,
          autoComplete: 'username',
        }),
      }}
      call={send}
      buttonText={t('auth.sign_in.magic_button')}
    />
  )
}

function OtherDoors({
  doors,
  withLink,
  onSwitch,
}: {
  doors: Doors
  withLink: boolean
  onSwitch: () => void
}) {
  const t = useT()
  return (
    <>
      <Or>{t('global.or')}</Or>
      <div className="stack stack-2">
        {doors.social && (
          <div className="grid-2 gap-2">
            {doors.social.map(({ id, name, href }) => (
              <ButtonLink key={id} size="lg" href={href}>
                {name}
              </ButtonLink>
            ))}
          </div>
        )}
        {doors.sso && (
          <ButtonLink size="lg" block href={doors.sso} icon={<Icon of={Building} />}>
            {t('auth.sign_in.sso')}
          </ButtonLink>
        )}
        {doors.magic && (
          <Button variant="ghost" size="lg" block icon={<Icon of={Mail} />} onClick={onSwitch}>
            {withLink ? t('auth.sign_in.with_password') : t('auth.sign_in.magic')}
          </Button>
        )}
      </div>
    </>
  )
}
