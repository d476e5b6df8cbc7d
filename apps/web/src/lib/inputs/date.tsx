import type { Ref } from 'react'
import { DateInput, isDay } from '../../ui/form/DateInput.tsx'
import { native } from '../form/inputs.tsx'
import { type Common, type Control, commonOf, type Input, rulesOf } from '../form/types.ts'
import { longDay } from '../i18n/format.ts'
import { t, useT } from '../i18n/translate.ts'

/** A date without a time. The value has the form `YYYY-MM-DD`. */
export function date(options: Common & { value?: string | Date }): Input {
  const { value = '', ...common } = options
  return {
    ...commonOf(common),
    rules: {
      ...rulesOf(common),
      check: typed => (typed === '' || isDay(typed) ? null : t('global.form.error.date')),
    },
    value: value instanceof Date ? dayOf(value) : value,
    render: control => <Day control={control} />,
  }
}

function Day({ control }: { control: Control }) {
  const t = useT()
  return (
    <DateInput
      {...native(control)}
      onChange={control.onChange}
      ref={control.ref as Ref<HTMLInputElement>} // as: a ref takes any element it is mounted on
      placeholder={t('global.form.date.placeholder')}
      format={longDay}
    />
  )
}

/** The date in the local time zone. */
function dayOf(moment: Date): string {
  const padded = (value: number, places: number) => String(value).padStart(places, '0')
  return [
    padded(moment.getFullYear(), 4),
    padded(moment.getMonth() + 1, 2),
    padded(moment.getDate(), 2),
  ].join('-')
}
