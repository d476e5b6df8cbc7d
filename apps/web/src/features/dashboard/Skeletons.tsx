import { useT } from '../../lib/i18n/translate.ts'
import '../../ui/chart/chart.css'
import { AfterPause, Skeleton } from '../../ui/base/Skeleton.tsx'
import { StatRow, StatTileSkeleton } from '../../ui/chart/StatTile.tsx'

/** Placeholders as large as the content, so that nothing moves. The table announces "Loading" for all. */
export function StatsSkeleton() {
  const t = useT()
  return (
    <AfterPause>
      <StatRow label={t('dashboard.stats.title')}>
        <StatTileSkeleton />
        <StatTileSkeleton />
        <StatTileSkeleton />
        <StatTileSkeleton />
      </StatRow>
    </AfterPause>
  )
}

export function RevenueSkeleton() {
  const t = useT()
  return (
    <AfterPause>
      <section className="card" aria-label={t('dashboard.revenue.title')}>
        <div className="card__head chart-head">
          <Skeleton width="72px" />
          <Skeleton width="200px" />
        </div>
        <div className="chart">
          <div className="chart__box flex flex-col justify-between pb-1">
            {['fourth', 'third', 'second', 'first', 'ground'].map(line => (
              <div key={line} className="flex items-center gap-3">
                <Skeleton width="26px" height="8px" />
                <hr className="rule grow" />
              </div>
            ))}
            <div className="flex justify-between ps-10">
              {['a', 'b', 'c', 'd', 'e', 'f'].map(month => (
                <Skeleton key={month} width="20px" height="8px" />
              ))}
            </div>
          </div>
        </div>
      </section>
    </AfterPause>
  )
}
