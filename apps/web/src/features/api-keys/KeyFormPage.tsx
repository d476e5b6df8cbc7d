import CircleAlert from 'lucide-react/icons/circle-alert'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/base/Button.tsx'
import { EmptyState } from '../../ui/base/EmptyState.tsx'
import { Loading, Skeleton } from '../../ui/base/Skeleton.tsx'
import { Breadcrumb } from '../../ui/layout/Breadcrumb.tsx'

export function KeyFormPage({ title, children }: { title: string; children: ReactNode }) {
  const t = useT()
  return (
    <div>
      <Breadcrumb
        label={t('api_keys.crumbs')}
        items={[{ name: t('api_keys.title'), url: paths.apiKeys }, { name: title }]}
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
