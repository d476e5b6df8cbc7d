import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Spinner } from '../../../ui/base/Spinner.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../FailureHeader.tsx'

export function LinkSpinner({ title }: { title: string }) {
  return (
    <>
      <AuthHeader title={title} />
      <div className="row center">
        <Spinner size={20} label={title} />
      </div>
    </>
  )
}

/** The server did not answer; the link may still be valid. */
export function LinkUnanswered({ onRetry }: { onRetry: () => void }) {
  const t = useT()
  return (
    <>
      <FailureHeader title={t('auth.link.silent')}>{t('auth.link.silent_text')}</FailureHeader>
      <Button variant="primary" size="lg" block onClick={onRetry}>
        {t('auth.link.retry')}
      </Button>
    </>
  )
}
