import type { SortTexts } from '../ui/table/TableSort.tsx'
import type { Translate } from './i18n/translate.ts'

/** The words of the list that sorts a table on a phone. */
export const sortTexts = (t: Translate): SortTexts => ({
  label: t('global.table.sort'),
  way: (column, down) => t(down ? 'global.table.down' : 'global.table.up', { column }),
})
