import { useT } from '../../../lib/i18n/translate.ts'
import { Section } from '../../../ui/base/Section.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'

/** Placeholder of a profile page: its first heading and bars for its fields. */
export function ProfileSkeleton({ title, text }: { title: string; text: string }) {
  const t = useT()
  return (
    <Loading label={t('global.loading')}>
      <div>
        <Section title={title} text={text}>
          <div className="stack stack-5">
            {['half', 'half-too', 'email'].map(bar => (
              <Skeleton key={bar} height="36px" />
            ))}
          </div>
        </Section>
      </div>
    </Loading>
  )
}
