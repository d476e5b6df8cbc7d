import CircleAlert from 'lucide-react/icons/circle-alert'
import KeyRound from 'lucide-react/icons/key-round'
import Plus from 'lucide-react/icons/plus'
import { useLayoutEffect, useRef } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { apiGuide, paths } from '../../lib/paths.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { Card } from '../../ui/base/Card.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Icon } from '../../ui/base/Icon.tsx'
import { Link } from '../../ui/base/Link.tsx'
import { isLost } from '../../ui/base/restore-focus.ts'
import { TextSpan } from '../../ui/base/TextSpan.tsx'
import { PageHead } from '../../ui/layout/AccountShell.tsx'
import { useAllowance, useKeys, useKeysView } from './hooks.ts'
import { KeyLimitAlert } from './KeyLimitAlert.tsx'
import { KeysTable } from './KeysTable.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'

export function ApiKeysScreen() {
  const t = useT()
  const view = useKeysView()
  const { data: rows, page, failed, retry } = useKeys(view.query)
  const isEmpty = rows?.length === 0 && !view.search && !page?.previous
  const hadKeys = useRef(false)

  // Deleting the last key removes the table with the focus in it. Moves the focus to the create link.
  useLayoutEffect(() => {
    const main = isEmpty && hadKeys.current && isLost() ? document.getElementById('main') : null
    main?.querySelector<HTMLElement>(`a[href="${paths.createApiKey}"]`)?.focus({ preventScroll: true })
    if (rows) hadKeys.current = !isEmpty
  }, [rows, isEmpty])

  if (failed && !rows)
    return (
      <EmptyState
        icon={CircleAlert}
        title={t('api_keys.failed')}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {t('api_keys.failed_text')}
      </EmptyState>
    )
  return (
    <>
      {isEmpty ? (
        <NoKeys />
      ) : (
        <>
          <KeysHeader />
          <KeysTable rows={rows} page={page} view={view} />
        </>
      )}
      <NewKeyDialog />
    </>
  )
}

function NoKeys() {
  const t = useT()
  return (
    <Card>
      <div className="py-12">
        <EmptyState
          icon={KeyRound}
          title={t('api_keys.blank.title')}
          action={
            <>
              <CreateLink />
              <div className="pt-3">
                <GuideLink />
              </div>
            </>
          }
        >
          {t('api_keys.blank.text')}
        </EmptyState>
      </div>
    </Card>
  )
}

function KeysHeader() {
  const t = useT()
  const { data } = useAllowance()
  const { used = 0, limit = null } = data ?? {}
  const full = limit !== null && used >= limit
  const counted = data
    ? `${limit === null ? t('api_keys.count_any', { count: used }) : t('api_keys.count', { count: used, limit })} `
    : ''
  return (
    <>
      <PageHead
        text={
          <>
            <TextSpan>{counted + t('api_keys.text')}</TextSpan> <GuideLink />
          </>
        }
      >
        {/* Shown before the count has loaded, so that nothing moves. */}
        {!full && <CreateLink />}
      </PageHead>
      {data && full && <KeyLimitAlert {...data} />}
    </>
  )
}

function CreateLink() {
  const t = useT()
  const support = useSignedIn().support_until
  if (support) return null
  return (
    <ButtonLink variant="primary" href={paths.createApiKey} icon={<Icon of={Plus} />}>
      {t('api_keys.create')}
    </ButtonLink>
  )
}

function GuideLink() {
  const t = useT()
  return (
    <Link className="link t13" href={apiGuide}>
      {t('api_keys.guide')}
    </Link>
  )
}
