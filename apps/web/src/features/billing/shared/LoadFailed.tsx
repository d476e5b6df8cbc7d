import CircleAlert from 'lucide-react/icons/circle-alert'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Card } from '../../../ui/base/Card.tsx'
import { EmptyState } from '../../../ui/base/EmptyState.tsx'

type Props = { title: string; text: string; retry: () => void }

/** An error message with a retry button, shown when data did not load. */
export function LoadFailed({ title, text, retry }: Props) {
  const t = useT()
  return (
    <Card>
      <EmptyState
        icon={CircleAlert}
        title={title}
        action={<Button onClick={retry}>{t('global.retry')}</Button>}
      >
        {text}
      </EmptyState>
    </Card>
  )
}
