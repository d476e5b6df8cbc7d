import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { declared } from '../../../test/css.ts'
import { Table, type TableProps, type TableTexts } from './Table.tsx'

const CARDS = '@container table (max-width: 800px)'

interface Person {
  id: string
  name: string
  status: string
  last_login: string | null
}
const PEOPLE: Person[] = [
  { id: '1', name: 'Tomás', status: 'Verified', last_login: '2026-11-20T16:48:00.250Z' },
  { id: '2', name: 'Inês', status: 'Invited', last_login: null },
  { id: '3', name: 'Mara', status: 'Verified', last_login: '2026-11-19T09:00:00.000Z' },
]
const texts: TableTexts<Person> = {
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

function show(props: Partial<TableProps<Person>> = {}) {
  render(
    <Table
      columns={[
        { key: 'name', label: 'Name' },
        { key: 'status', label: 'Status' },
        { key: 'last_login', label: 'Last login', sortable: false },
      ]}
      rows={PEOPLE}
      texts={texts}
      {...props}
    />,
  )
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(row => within(row).getAllByRole('cell')[props().check ? 1 : 0]?.textContent)
const props = () => ({ check: screen.queryByRole('checkbox', { name: 'Select all' }) !== null })

test('on narrow screens a select sorts the table', async () => {
  const sort = {
    label: 'Sort by',
    way: (column: string, down: boolean) => `${column} ${down ? 'down' : 'up'}`,
  }
  show({ texts: { ...texts, sort } })
  const list = screen.getByRole('combobox', { name: 'Sort by' })
  expect([...list.querySelectorAll('option')].map(option => option.textContent)).toEqual([
    'Sort by',
    'Name up',
    'Name down',
    'Status up',
    'Status down',
  ])
  await userEvent.selectOptions(list, 'Name down')
  expect(names()).toEqual(['Tomás', 'Mara', 'Inês'])
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
  const [rows, cards] = [
    declared('ui/table/table.css', '.table-sort'),
    declared('ui/table/table.css', '.table-sort', CARDS),
  ]
  expect([rows.display, cards.display]).toEqual(['none', 'block'])
})

test('a column head sorts and sets aria-sort', async () => {
  show()
  const head = screen.getByRole('columnheader', { name: 'Name' })
  await userEvent.click(within(head).getByRole('button'))
  expect(head.getAttribute('aria-sort')).toBe('ascending')
  expect(names()).toEqual(['Inês', 'Mara', 'Tomás'])
  await userEvent.click(within(head).getByRole('button'))
  expect(head.getAttribute('aria-sort')).toBe('descending')
  expect(names()).toEqual(['Tomás', 'Mara', 'Inês'])
  expect(screen.getByRole('columnheader', { name: 'Status' }).hasAttribute('aria-sort')).toBe(false)
  expect(within(screen.getByRole('columnheader', { name: 'Last login' })).queryByRole('button')).toBeNull()
})

test('typing filters the rows; no match shows a message', async () => {
  show({ searchable: true })
  const box = screen.getByRole('searchbox', { name: 'Search users' })
  await userEvent.type(box, 'ines')
  expect(names()).toEqual(['Inês'])
  await userEvent.type(box, 'zzz')
  expect(screen.getByText('No user matches')).toBeDefined()
  await userEvent.type(box, '{Escape}')
  expect(names()).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
  await userEvent.type(box, 'ines')
  await userEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(names()).toHaveLength(3)
  expect(box).toHaveFocus()
})

test('selects rows one by one or all together and runs a bulk action [part:table.select]', async () => {
  const remove = vi.fn()
  show({ bulk: [{ key: 'delete', label: 'Delete', danger: true, onSelect: remove }] })
  expect(screen.queryByRole('toolbar')).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Mara' }))
  expect(screen.getByRole('checkbox', { name: 'Select all' })).toMatchObject({
    checked: false,
    indeterminate: true,
  })
  expect(screen.getByText('1 selected')).toBeDefined()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(remove).toHaveBeenCalledWith(['1', '2', '3'])
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }))
  expect(screen.queryByRole('toolbar')).toBeNull()
})

test('a row offers only the actions that apply to it [part:table.actions]', async () => {
  const resend = vi.fn()
  show({
    actions: [
      { key: 'edit', label: 'Edit', onSelect: () => {} },
      { key: 'resend', label: 'Resend invite', when: row => row.status === 'Invited', onSelect: resend },
    ],
  })
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Tomás' }))
  expect((await screen.findAllByRole('menuitem')).map(item => item.textContent)).toEqual(['Edit'])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Inês' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Resend invite' }))
  expect(resend).toHaveBeenCalledWith(PEOPLE[1])
})

test('a remote table keeps the order of its rows and reports the sort', async () => {
  const viewChanged = vi.fn()
  show({ remote: true, view: { search: '', sort: null }, onViewChange: viewChanged })
  await userEvent.click(screen.getByRole('button', { name: 'Name' }))
  expect(viewChanged).toHaveBeenCalledWith({ search: '', sort: { key: 'name', down: false } })
  expect(names()).toEqual(['Tomás', 'Inês', 'Mara'])
})

test('ISO dates are formatted, missing values stay empty', () => {
  show()
  const cells = screen
    .getAllByRole('row')
    .slice(1)
    .map(row => within(row).getAllByRole('cell')[2]?.textContent)
  expect(cells[0]).toMatch(/2026/)
  expect(cells[0]).not.toMatch(/T16|250/)
  expect(cells[1]).toBe('')
})

test('shows the table with a loading text while there are no rows', () => {
  show({ rows: undefined })
  expect(screen.getByRole('table', { name: 'Users' }).getAttribute('aria-busy')).toBe('true')
  expect(screen.getByText('Loading users')).toBeDefined()
})

test('shows a message without rows', () => {
  show({ rows: [] })
  expect(screen.getByText('Nothing to show')).toBeDefined()
})
