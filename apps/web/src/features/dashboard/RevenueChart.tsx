import { majorUnits } from '@plinth/contract/money'
import { useMemo } from 'react'
import { money, tickFormat } from '../../lib/i18n/format.ts'
import { language } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useStore } from '../../lib/store.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import type { ChartData } from '../../ui/chart/chart-types.ts'
import type { Demo } from './demo.ts'

export function RevenueChart({ revenue }: { revenue: Demo['revenue'] }) {
  const t = useT()
  const { currency, current } = revenue
  const data = useRevenue(revenue)
  const whole = (minor = 0) => money(minor, currency, { whole: true })
  return (
    <Chart
      title={t('dashboard.revenue.title')}
      type="line"
      legend
      data={data}
      ticks={tickFormat(currency)}
      format={value =>
        new Intl.NumberFormat(language.get(), {
          style: 'currency',
          currency,
          currencyDisplay: 'narrowSymbol',
          maximumFractionDigits: 0,
        }).format(value)
      }
      label={t('dashboard.revenue.label', {
        first: whole(current[0]),
        first_month: data.labels[0] ?? '',
        last: whole(current.at(-1)),
        last_month: data.labels.at(-1) ?? '',
      })}
      texts={{
        empty: t('global.chart.empty'),
        showTable: t('dashboard.revenue.show_table'),
        showChart: t('dashboard.revenue.show_chart'),
        category: t('dashboard.revenue.month'),
      }}
    />
  )
}

/** Memoized, so that the chart animates only when the figures or the language change. */
function useRevenue({ months, current, previous, currency }: Demo['revenue']): ChartData {
  const t = useT()
  const currentLanguage = useStore(language)
  // biome-ignore lint/correctness/useExhaustiveDependencies: t is the same function in every language
  return useMemo(() => {
    // Months are dates at midnight UTC: a local time zone could show the month before.
    const short = new Intl.DateTimeFormat(currentLanguage, { month: 'short', timeZone: 'UTC' })
    const long = new Intl.DateTimeFormat(currentLanguage, {
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    })
    const years = new Set(months.map(month => new Date(month).getUTCFullYear()))
    // Over two years, the first and the last month and each January show their year.
    const label = (month: string, at: number) => {
      const date = new Date(month)
      const withYear = years.size > 1 && (at === 0 || at === months.length - 1 || date.getUTCMonth() === 0)
      return (withYear ? long : short).format(date)
    }
    const majors = (values: readonly number[]) => values.map(value => majorUnits(value, currency))
    return {
      labels: months.map(label),
      series: [
        { label: t('dashboard.revenue.current'), values: majors(current) },
        { label: t('dashboard.revenue.previous'), values: majors(previous), dashed: true },
      ],
    }
  }, [months, current, previous, currency, currentLanguage])
}
