import Mail from 'lucide-react/icons/mail'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Badge, type BadgeColor } from '../base/Badge.tsx'
import { Pagination } from '../table/Pagination.tsx'
import { PersonCell } from '../table/PersonCell.tsx'
import { Table, type TableTexts } from '../table/Table.tsx'
import type { Column } from '../table/table-view.ts'

interface Person {
  id: string
  name: string
  email: string
  permission: string
  last_login: string | null
  status: string
}

const COLOR: Record<string, BadgeColor> = { Verified: 'green', Registered: 'blue', Invited: 'orange' }
const person = (name: string, permission: string, last_login: string | null, status: string): Person => ({
  id: name,
  name,
  permission,
  last_login,
  status,
  email: `${name.split(' ')[0]?.toLowerCase()}@northquay.studio`,
})
const PEOPLE = [
  person('Mara Aldous', 'Account Owner', '2026-11-20T17:02:11.120Z', 'Verified'),
  person('Tomás Ribeiro', 'Administrator', '2026-11-20T16:48:00.000Z', 'Verified'),
  person('Inês Carvalho', 'Developer', '2026-11-20T09:31:40.500Z', 'Verified'),
  person('Lucía Herrero', 'User', '2026-11-17T11:05:00.000Z', 'Registered'),
  person('Claire Beaumont-Fitzgerald de la Roche', 'User', null, 'Invited'),
]

const COLUMNS: Column<Person>[] = [
  { key: 'name', label: 'Name', cell: row => <PersonCell name={row.name} cardLine={row.email} /> },
  { key: 'email', label: 'Email', card: 'hide' },
  { key: 'permission', label: 'Permission' },
  { key: 'last_login', label: 'Last login', card: 'hide' },
  {
    key: 'status',
    label: 'Status',
    card: 'meta-end',
    cell: row => <Badge color={COLOR[row.status]}>{row.status}</Badge>,
  },
]

const TEXTS: TableTexts<Person> = {
  label: 'Users',
  search: 'Search users',
  clearSearch: 'Clear search',
  empty: 'Nothing to show',
  noResults: 'No user matches',
  loading: 'Loading users',
  actions: 'Actions',
  actionsFor: row => `Actions for ${row.name}`,
  selectAll: 'Select all',
  select: row => `Select ${row.name}`,
  selected: count => `${count} selected`,
  clear: 'Clear selection',
}

const ROW_ACTIONS = [
  { key: 'edit', label: 'Edit', icon: Pencil, onSelect: () => {} },
  { key: 'contact', label: 'Contact', icon: Mail, onSelect: () => {} },
  { key: 'delete', label: 'Delete', icon: Trash2, danger: true, onSelect: () => {} },
]
const MANY = Array.from({ length: 40 }, (_, index) =>
  PEOPLE.map(one => ({ ...one, id: `${one.id} ${index}`, name: `${one.name} ${index + 1}` })),
).flat()

/** Tables with many rows, one row, no rows, no match, and loading. */
export function TableSamples() {
  return (
    <>
      <section className="card spec--wide" aria-label="Table, many rows">
        <ManyRows />
      </section>
      <section className="card spec--wide" aria-label="Table, one row">
        <Table columns={COLUMNS} rows={PEOPLE.slice(0, 1)} texts={TEXTS} searchable actions={ROW_ACTIONS} />
      </section>
      <section className="card spec--wide" aria-label="Table, no rows">
        <Table columns={COLUMNS} rows={[]} texts={TEXTS} searchable />
      </section>
      <section className="card spec--wide" aria-label="Table, nobody found">
        <Table columns={COLUMNS} rows={PEOPLE} texts={TEXTS} searchable view={{ search: 'zz', sort: null }} />
      </section>
      <section className="card spec--wide" aria-label="Table, loading">
        <Table columns={COLUMNS} rows={undefined} texts={TEXTS} searchable />
      </section>
    </>
  )
}

const PAGE = 10

function ManyRows() {
  const [page, setPage] = useState(0)
  const start = page * PAGE
  return (
    <Table
      columns={COLUMNS}
      rows={MANY.slice(start, start + PAGE)}
      texts={TEXTS}
      searchable
      actions={ROW_ACTIONS}
      bulk={ROW_ACTIONS.slice(1)}
      footer={
        <Pagination
          label="Pages of users"
          start={start + 1}
          end={start + PAGE}
          total={MANY.length}
          onPrevious={start > 0 ? () => setPage(page - 1) : undefined}
          onNext={start + PAGE < MANY.length ? () => setPage(page + 1) : undefined}
          texts={{
            showing: (from, to, total) => `Showing ${from}–${to} of ${total}`,
            none: 'No Results',
            previous: 'Previous',
            next: 'Next',
          }}
        />
      }
    />
  )
}
