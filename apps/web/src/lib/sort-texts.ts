import type { SortTexts } from '../ui/table/TableSort.tsx'
import type { Translate } from './i18n/translate.ts'

/** Texts of the sort menu that tables show on phones. */
export const sortTexts = (t: Translate): SortTexts => ({
  label: t('global.table.sort'),
  way: (column, down) => t(down ? 'global.table.down' : 'global.table.up', { column }),
})
