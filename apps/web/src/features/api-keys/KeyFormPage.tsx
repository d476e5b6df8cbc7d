import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { Breadcrumb } from '../../ui/Breadcrumb.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/Skeleton.tsx'

/** The way here and the form below it. */
export function KeyFormPage({ here, children }: { here: string; children: ReactNode }) {
  const t = useT()
  return (
    <div>
      <Breadcrumb
        label={t('api_keys.crumbs')}
        items={[{ name: t('api_keys.title'), url: paths.apiKeys }, { name: here }]}
      />
      {children}
    </div>
  )
}

export function KeyFormSkeleton() {
  const t = useT()
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-5 py-6">
        {['name', 'scopes', 'expires'].map(bar => (
          <Skeleton key={bar} height="56px" />
        ))}
      </div>
    </Loading>
  )
}

export function KeyFormFailed({ retry }: { retry: () => void }) {
  const t = useT()
  return (
    <EmptyState
      icon={CircleAlert}
      title={t('api_keys.failed')}
      action={<Button onClick={retry}>{t('global.retry')}</Button>}
    >
      {t('api_keys.failed_text')}
    </EmptyState>
  )
}
