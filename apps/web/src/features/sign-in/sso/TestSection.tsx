import type { SsoSetup, SsoTestResult } from '@plinth/contract'
import { readableEmail } from '@plinth/contract/email'
import { useEffect, useRef } from 'react'
import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { ago } from '../../../lib/i18n/format.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { Section } from '../../../ui/base/Section.tsx'
import { TextSpan } from '../../../ui/base/TextSpan.tsx'
import { openUrl } from '../social/open-url.ts'
import { testReasonOf } from './test-reasons.ts'

/** A test sign-in that opens no session and shows the provider's answer. */
export function TestSection({ setup: { connection } }: { setup: SsoSetup }) {
  const t = useT()
  const section = useRef<HTMLDivElement>(null)
  // After the return from the provider, scrolls to the result and cleans the URL.
  useEffect(() => {
    if (!new URLSearchParams(window.location.search).has('tested')) return
    window.history.replaceState(window.history.state, '', window.location.pathname)
    section.current?.scrollIntoView({ block: 'center' })
  }, [])

  async function startTest(): Promise<void> {
    const begun = await attempt(api.sso.test())
    if (begun) openUrl(begun.url)
  }

  return (
    <Section title={t('sso.test.title')} text={t('sso.test.text')}>
      <div className="stack" ref={section}>
        {connection?.test && <Result result={connection.test} />}
        <div>
          <Button disabled={!connection} onClick={startTest}>
            {t(connection?.test ? 'sso.test.again' : 'sso.test.button')}
          </Button>
        </div>
        {!connection && <p className="help">{t('sso.test.first')}</p>}
      </div>
    </Section>
  )
}

function Result({ result }: { result: SsoTestResult }) {
  const t = useT()
  const { at, code, found, name_id, email, first_name, last_name } = result
  const details = [
    ['sso.test.name_id', name_id],
    ['sso.test.email', email && readableEmail(email)],
    ['sso.test.first_name', first_name],
    ['sso.test.last_name', last_name],
  ] as const
  return (
    <Alert
      tone={code === null ? 'success' : 'danger'}
      title={
        code === null ? t('sso.test.passed', { when: ago(at) }) : t('sso.test.failed', { when: ago(at) })
      }
      announce="status"
    >
      {code !== null && <p>{t(testReasonOf(code))}</p>}
      {code !== null && (
        <p className="t13">
          {t('sso.test.code')} <code className="mono">{code}</code>
          {found && (
            <>
              <TextSpan>{` · ${t('sso.test.found')}`}</TextSpan>{' '}
              <code className="mono wrap-anywhere">{found}</code>
            </>
          )}
        </p>
      )}
      {name_id !== null && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 t13 mt-2">
          {details.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="ink3">{t(label)}</dt>
              <dd className="wrap-anywhere">{value ?? t('sso.test.none')}</dd>
            </div>
          ))}
        </dl>
      )}
    </Alert>
  )
}
