import { parseEmail } from '@plinth/contract/email'
import ArrowRight from 'lucide-react/icons/arrow-right'
import { useState } from 'react'
import { mayFocusField } from '../../../lib/focus-first.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { email } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths, samlStart } from '../../../lib/paths.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { TextLink } from '../../../ui/base/Link.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { SignedInNotice } from '../SignedInNotice.tsx'
import { openUrl } from '../social/open-url.ts'
import { useTypedAddress } from '../use-typed-address.ts'

/** Starts single sign-on, by the work address or by an account's own link. Both need a click here. */
export function SamlScreen() {
  const t = useT()
  const [start] = useState(takeQuery)
  const [other, setOther] = useState(false)
  const [mayFocus] = useState(mayFocusField)
  const [address, setAddress] = useTypedAddress()
  const target = other ? null : start.by
  return (
    <>
      <AuthHeader title={t('sso.start.title')}>
        {target ? t(start.begin ? 'sso.start.begin_text' : 'sso.start.known_text') : t('sso.start.text')}
      </AuthHeader>
      <SignedInNotice />
      {start.unknown && (
        <Alert tone="danger" title={t('sso.start.unknown')} announce="alert">
          {t('sso.start.unknown_text')}
        </Alert>
      )}
      {target ? (
        <div className="stack stack-2">
          <Button
            variant="primary"
            size="lg"
            block
            iconEnd={<Icon of={ArrowRight} />}
            onClick={() => openUrl(samlStart(target))}
          >
            {target.domain ? t('sso.start.go_to', { domain: target.domain }) : t('sso.start.go')}
          </Button>
          <Button variant="ghost" size="lg" block onClick={() => setOther(true)}>
            {t('sso.start.other')}
          </Button>
        </div>
      ) : (
        <Form
          large
          inputs={{
            email: email({
              label: t('sso.start.email'),
              help: t('sso.start.email_help'),
              required: true,
              value: address,
              autoComplete: 'username',
              // Takes the focus after an error, or when the field replaces the pressed button.
              autoFocus: mayFocus || other || start.unknown,
            }),
          }}
          call={parseLocally}
          buttonText={t('sso.start.go')}
          callback={typed => openUrl(samlStart({ domain: domainOf(typed) }))}
          onChange={values => setAddress(String(values.email ?? ''))}
        />
      )}
      <p className="t13 ink2 center">
        <TextLink href={paths.login}>{t('sso.start.back')}</TextLink>
      </p>
    </>
  )
}

/** Only the domain is needed: the address itself must not appear in a URL. */
const parseLocally = async ({ body }: { body: { email: string } }) => ({
  data: parseEmail(body.email) ?? '',
  message: undefined,
})
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1)

type SignInTarget = { domain?: string; connection?: string }

/** Reads the query and removes it from the URL, so that a reload does not repeat it. */
function takeQuery(): { by: SignInTarget | null; unknown: boolean; begin: boolean } {
  const { pathname, search } = window.location
  const query = new URLSearchParams(search)
  const [domain, connection] = [query.get('domain') ?? '', query.get('connection') ?? '']
  const unknown = query.has('error')
  const begin = query.has('begin')
  if (query.size) window.history.replaceState(window.history.state, '', pathname)
  if (/^[0-9a-f-]{36}$/.test(connection)) return { by: { connection }, unknown, begin }
  return { by: /^[a-z0-9.-]{3,253}$/.test(domain) ? { domain } : null, unknown, begin }
}
